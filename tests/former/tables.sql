BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE events (
	table_id VARCHAR(16) NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	node INTEGER NOT NULL, 
	data JSON NOT NULL, 
	at DATETIME NOT NULL, 
	previous INTEGER GENERATED ALWAYS AS (NULLIF(seq - 1, 0)) STORED, 
	CONSTRAINT pk_events PRIMARY KEY (table_id, seq), 
	CONSTRAINT ck_events_counted CHECK (seq > 0), 
	CONSTRAINT fk_events_previous FOREIGN KEY(table_id, previous) REFERENCES events (table_id, seq), 
	CONSTRAINT fk_events_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "events" VALUES('3i23bestti4lw945',1,'move',1,'{"move": "garden.6 > garden.5", "parent": 0, "by": "player"}','2026-11-22 21:10:00.870797');
INSERT INTO "events" VALUES('3i23bestti4lw945',2,'move',2,'{"move": "bouquet.3 > garden.4", "parent": 1, "by": "player"}','2026-11-22 21:10:00.887490');
INSERT INTO "events" VALUES('3i23bestti4lw945',3,'move',3,'{"move": "bouquet.12 > garden.1", "parent": 2, "by": "player"}','2026-11-22 21:10:00.891380');
INSERT INTO "events" VALUES('3i23bestti4lw945',4,'move',4,'{"move": "garden.1 > garden.2", "parent": 3, "by": "player"}','2026-11-22 21:10:00.899382');
INSERT INTO "events" VALUES('3i23bestti4lw945',5,'move',5,'{"move": "bouquet.5 > garden.2", "parent": 4, "by": "player"}','2026-11-22 21:10:00.907443');
INSERT INTO "events" VALUES('3i23bestti4lw945',6,'move',6,'{"move": "bouquet.7 > garden.5", "parent": 5, "by": "player"}','2026-11-22 21:10:00.919350');
INSERT INTO "events" VALUES('3i23bestti4lw945',7,'move',7,'{"move": "bouquet.10 > garden.3", "parent": 6, "by": "player"}','2026-11-22 21:10:00.929055');
INSERT INTO "events" VALUES('3i23bestti4lw945',8,'move',8,'{"move": "bouquet.9 > garden.5", "parent": 7, "by": "player"}','2026-11-22 21:10:00.939387');
INSERT INTO "events" VALUES('3i23bestti4lw945',9,'goto',7,'{"how": "undo"}','2026-11-22 21:10:00.947395');
INSERT INTO "events" VALUES('3i23bestti4lw945',10,'mark',7,'{"name": "here"}','2026-11-22 21:10:00.955363');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',1,'move',1,'{"move": "tableau.3 > foundations.1", "parent": 0, "by": "player"}','2026-11-22 21:10:01.004053');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',2,'move',2,'{"move": "deal", "parent": 1, "by": "player"}','2026-11-22 21:10:01.015461');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',3,'move',3,'{"move": "tableau.6 > foundations.2", "parent": 2, "by": "player"}','2026-11-22 21:10:01.023385');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',4,'move',4,'{"move": "deal", "parent": 3, "by": "player"}','2026-11-22 21:10:01.031382');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',5,'move',5,'{"move": "deal", "parent": 4, "by": "player"}','2026-11-22 21:10:01.036989');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',6,'move',6,'{"move": "deal", "parent": 5, "by": "player"}','2026-11-22 21:10:01.047402');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',7,'move',7,'{"move": "waste > tableau.4", "parent": 6, "by": "player"}','2026-11-22 21:10:01.051348');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',8,'move',8,'{"move": "waste > foundations.3", "parent": 7, "by": "player"}','2026-11-22 21:10:01.061840');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',9,'move',9,'{"move": "tableau.6 > tableau.4", "parent": 8, "by": "player"}','2026-11-22 21:10:01.070529');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',10,'move',10,'{"move": "deal", "parent": 9, "by": "player"}','2026-11-22 21:10:01.075345');
INSERT INTO "events" VALUES('8mi1j8jc10ypo12y',11,'close',10,'{"closed": true}','2026-11-22 21:10:01.079456');
CREATE TABLE favourites (
	game VARCHAR(400) NOT NULL, 
	CONSTRAINT pk_favourites PRIMARY KEY (game)
);
CREATE TABLE rules (
	name VARCHAR(100) NOT NULL, 
	text TEXT NOT NULL, 
	added DATETIME NOT NULL, 
	hidden BOOLEAN NOT NULL, 
	CONSTRAINT pk_rules PRIMARY KEY (name)
);
INSERT INTO "rules" VALUES('own.a-former-garden.acf2364192fc8d90a1aa4da58dd1e206','# Everything lies open; all is planning.
name   = "A Former Garden"
source = "Lady Cadogan, Illustrated Games of Solitaire or Patience (1874 and later editions)"
packs  = 1

[foundations]
piles = 4
base  = "ace"
build = "up in suit"

[garden]
role  = "tableau"
piles = 6
deal  = 6
dealt = "in packets"
build = "down"                  # regardless of suit; one card at a time is the default
space = "any card"

[bouquet]
role  = "reserve"
piles = 16
deal  = 1

[variants.sequences]
why = "a sequence, whatever its suits, may be shifted bodily: Whitmore Jones, Cheney and others"
garden.moves = "sequences"

[variants.worrying-back]
why = "cards may return from the foundations to the garden: Solvitaire''s preset"
foundations.worrying_back = true
','2026-11-22 21:10:00.741771',0);
INSERT INTO "rules" VALUES('own.a-former-klondike.b17c4481eb34af282e79c1dda9d84d6b','name   = "A Former Klondike"
source = "Hoyle''s Games, and the rules of common computer programs; one card at a time, without limit"
packs  = 1

[foundations]
piles = 4
base  = "ace"
build = "up in suit"
worrying_back = true

[tableau]
piles     = 7
deal_down = [0, 1, 2, 3, 4, 5, 6]
deal      = 1
build     = "down in alternate colours"
moves     = "sequences"
space     = "kings"

[stock]
deals   = "1 to waste"
redeals = "unlimited"

[waste]

[variants.draw-three]
why = "three cards at a time from the stock"
stock.deals = "3 to waste"

[variants.no-return]
why = "nothing leaves the foundations"
foundations.worrying_back = false

[variants.one-pass]
why = "the stock is gone through once only"
stock.redeals = 0

[variants.two-redeals]
why = "the stock is gone through three times"
stock.redeals = 2
','2026-11-22 21:10:00.831425',0);
CREATE TABLE settings (
	"key" VARCHAR(40) NOT NULL, 
	value JSON NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY ("key")
);
CREATE TABLE stranded_events (
	id INTEGER NOT NULL, 
	table_id VARCHAR(16) NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	node INTEGER NOT NULL, 
	data JSON NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_stranded_events PRIMARY KEY (id), 
	CONSTRAINT fk_stranded_events_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE summaries (
	table_id VARCHAR(16) NOT NULL, 
	version INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	made INTEGER NOT NULL, 
	outcome VARCHAR(4), 
	won BOOLEAN NOT NULL, 
	closed BOOLEAN NOT NULL, 
	seconds FLOAT NOT NULL, 
	played DATETIME NOT NULL, 
	ended DATETIME, 
	CONSTRAINT pk_summaries PRIMARY KEY (table_id), 
	CONSTRAINT fk_summaries_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "summaries" VALUES('3i23bestti4lw945',10,7,8,NULL,0,0,0.093915,'2026-11-22 21:10:00.955363',NULL);
INSERT INTO "summaries" VALUES('8mi1j8jc10ypo12y',11,10,10,NULL,0,1,9.28750000000000131006e-02,'2026-11-22 21:10:01.079456','2026-11-22 21:10:01.079456');
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	game VARCHAR(400) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	deal VARCHAR(100), 
	deck TEXT, 
	root VARCHAR(32) NOT NULL, 
	verdict VARCHAR(12) NOT NULL, 
	autoplay BOOLEAN NOT NULL, 
	begun DATETIME NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('3i23bestti4lw945','own.a-former-garden.acf2364192fc8d90a1aa4da58dd1e206','16cd7aaf5e550983ae0ffd1594ba4e253e6b8e668cedabbe688dfe0687d6110d','cadogan:5',NULL,'9204d80cdc8cb61f036dd80b9c620e80','none',0,'2026-11-22 21:10:00.861448');
INSERT INTO "tables" VALUES('8mi1j8jc10ypo12y','own.a-former-klondike.b17c4481eb34af282e79c1dda9d84d6b','daf7d7b3d381e752fdd46faebb7d83f35d556718bd07cabeb0ce7d127aae46c3','cadogan:7',NULL,'108be7dad1f81ee238ee5757797614a7','none',0,'2026-11-22 21:10:00.982470');
CREATE TABLE verdicts (
	digest VARCHAR(64) NOT NULL, 
	hash VARCHAR(32) NOT NULL, 
	status VARCHAR(10) NOT NULL, 
	nodes INTEGER NOT NULL, 
	CONSTRAINT pk_verdicts PRIMARY KEY (digest, hash)
);
INSERT INTO "verdicts" VALUES('16cd7aaf5e550983ae0ffd1594ba4e253e6b8e668cedabbe688dfe0687d6110d','9204d80cdc8cb61f036dd80b9c620e80','winnable',123);
INSERT INTO "verdicts" VALUES('daf7d7b3d381e752fdd46faebb7d83f35d556718bd07cabeb0ce7d127aae46c3','108be7dad1f81ee238ee5757797614a7','unwinnable',456);
CREATE INDEX ix_summaries_played ON summaries (played);
CREATE INDEX ix_stranded_events_table_id ON stranded_events (table_id);
COMMIT;
