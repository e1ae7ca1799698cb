/** A player's session at a table: its state, and everything the player can do there. */

import { api, listen, Refused, type Game, type Played, type Schemas } from "../api/client";
import type { Table, TableNews } from "../api/client";
import { to } from "../app/routes";
import { app } from "../app/state.svelte";
import type { Board } from "../board/board";
import { isStill } from "../board/motion";
import type { BoardMove, MoveRequest } from "../board/state";
import { download } from "../lib/download";
import type { Speech } from "../text/speech";
import { moveLabel, stepSentence } from "./move-text";
import { showSteps } from "./steps";

/** How many actions a player can be ahead of the server. */
const MAX_QUEUED = 8;
/** Milliseconds between the last move and the dialog that says how the game ended. */
const END_DELAY = 700;

export class TableSession {
  table = $state.raw<Table | null>(null);
  game = $state.raw<Game | null>(null);
  /** The message to the player, and whether it is a refusal. */
  message = $state("");
  refusal = $state(false);
  /** The message to screen readers. */
  aloud = $state("");
  /** Moves among which the player must choose. */
  choices = $state.raw<Schemas["Move"][]>([]);
  /** How the game ended by the player's last move. */
  ended = $state<"won" | "lost" | "over" | null>(null);
  /** Whether the server is searching a deal that can be won. */
  searching = $state(false);
  /** When the time played was received, in milliseconds. */
  receivedAt = $state(0);
  board: Board | null = null;
  /** Actions that run or wait for their turn. */
  private queued = 0;
  private queue: Promise<void> = Promise.resolve();
  /** Incremented to cancel actions that were queued for an earlier table. */
  private epoch = 0;
  private pendingNews: TableNews[] = [];
  private closed = false;
  private stopListening = (): void => undefined;

  constructor(readonly id: string) {}

  /** Loads the table and listens to it. */
  async open(): Promise<void> {
    const first = await api.table(this.id);
    const game = await api.game(first.game);
    if (this.closed) return;
    this.game = game;
    this.update(first);
    if (first.position.choice) this.showMessage(first.position.choice.message.text);
    this.stopListening = listen(this.id, (news) => {
      if (this.queued > 0) this.pendingNews.push(news);
      else this.applyNews(news);
    });
  }

  close(): void {
    this.closed = true;
    this.stopListening();
  }

  private get speech(): Speech {
    return app.speech;
  }

  private showMessage(text: string, refusal = false): void {
    this.message = text;
    this.refusal = refusal;
  }

  // Events from the server.

  private applyNews(news: TableNews): void {
    const now = this.table;
    if (now === null || this.closed) return;
    if (news.type === "verdict") {
      if (news.node === now.node) this.applyVerdict(news.verdict);
    } else if (news.table.version > now.version) {
      this.show(news.table);
      this.showMessage(this.speech.say("stale"));
    } else if (news.table.version === now.version) this.applyVerdict(news.table.verdict);
  }

  private applyVerdict(verdict: Schemas["Verdict"]): void {
    const before = this.table!.verdict;
    this.table = { ...this.table!, verdict };
    if (verdict.mode !== "none" && before.status !== verdict.status) {
      this.aloud = verdict.message.text;
    }
  }

  private update(table: Table): void {
    this.table = table;
    this.receivedAt = Date.now();
  }

  /** Updates the table and shows it on the board. */
  private show(table: Table): void {
    const { position } = table;
    this.update(table);
    this.board?.hint(null);
    this.board?.set(position as never);
    if (position.outcome === "won") this.showMessage(this.speech.say("won"));
    else if (position.choice) this.showMessage(position.choice.message.text);
    else if (position.outcome) this.showMessage(this.speech.say(position.outcome));
  }

  // Actions of the player.

  /** Runs an action after those before it; a player who is too far ahead must wait. */
  private enqueue(action: (version: number) => Promise<void>): Promise<void> {
    if (this.table === null || this.queued === MAX_QUEUED) return Promise.resolve();
    this.queued += 1;
    const { epoch } = this;
    const done = this.queue.then(() => this.runExclusive(action, epoch));
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** Runs an action while no other runs; a refusal cancels those that wait. */
  private async runExclusive(
    action: (version: number) => Promise<void>,
    epoch: number,
  ): Promise<void> {
    try {
      if (this.closed || epoch !== this.epoch) return;
      this.showMessage("");
      app.failure = "";
      await action(this.table!.version);
    } catch (fault) {
      this.epoch += 1;
      app.handle(fault, (refused) => this.handleRefusal(refused));
    } finally {
      this.queued -= 1;
      if (this.queued === 0) for (const news of this.pendingNews.splice(0)) this.applyNews(news);
    }
  }

  private handleRefusal({ problem, message }: Refused): void {
    if (problem.code === "stale" && problem.table) {
      this.show(problem.table);
      this.showMessage(this.speech.say("stale"), true);
    } else if (problem.code === "ambiguous" && problem.moves && problem.moves.length > 0) {
      const texts = new Set(problem.moves);
      this.choices = this.table!.position.moves.filter((move) => texts.has(move.text));
    } else this.showMessage(message, true);
  }

  play(request: MoveRequest): Promise<void> {
    return this.enqueue(async (version) => {
      const played = await api.move(this.id, { version, ...request });
      await this.showPlayed(played);
      const { finish } = played.table;
      if (!finish || !app.pageSetting("finishes", false)) return;
      await this.showPlayed(await api.finish(this.id, played.table.version));
    });
  }

  /** Shows what happened step by step, then the table. */
  private async showPlayed(played: Played): Promise<void> {
    const { speed } = app.settings!;
    const sentences = played.steps.map((step) => stepSentence(this.speech, step));
    this.aloud = sentences.join(". ");
    await showSteps(this.board, played.steps, speed, () => !this.closed);
    if (this.closed) return;
    this.show(played.table);
    if (this.message === "" && sentences.length > 1) {
      this.showMessage(sentences.slice(1, 4).join(" · "));
    }
    const { outcome } = played.table.position;
    if (!outcome) return;
    const { version } = played.table;
    setTimeout(
      () => {
        if (!this.closed && this.table?.version === version) this.ended = outcome;
      },
      isStill(speed) ? 0 : END_DELAY,
    );
  }

  undo(): Promise<void> {
    return this.enqueue(async (version) => {
      if (!this.table!.undo) return;
      this.show(await api.undo(this.id, version));
      this.aloud = this.speech.say("undone");
    });
  }

  redo(): Promise<void> {
    return this.enqueue(async (version) => {
      if (this.table!.redo) await this.showPlayed(await api.redo(this.id, version));
    });
  }

  restart(): Promise<void> {
    return this.enqueue(async (version) => {
      this.show(await api.restart(this.id, version));
      this.aloud = this.speech.say("restarted");
    });
  }

  finish(): Promise<void> {
    return this.enqueue(async (version) => this.showPlayed(await api.finish(this.id, version)));
  }

  goTo(node: number): Promise<void> {
    return this.enqueue((version) => this.goToNode(version, node));
  }

  /** Goes to the last position of this line from which the game could still be won. */
  goToLastWinnable(): Promise<void> {
    return this.enqueue(async (version) => {
      const { since } = this.table!.verdict;
      if (!since) return;
      const tree = await api.tree(this.id);
      await this.goToNode(version, tree.path[since - 1]);
    });
  }

  private async goToNode(version: number, node: number): Promise<void> {
    this.show(await api.goto(this.id, version, node));
    this.aloud = this.speech.say("gone", { number: this.table!.turn });
  }

  hint(): Promise<void> {
    return this.enqueue(async (version) => {
      const found = await api.hint(this.id, version);
      if (!found.move) return this.showMessage(found.message.text);
      this.showMessage(`${this.moveText(found.move)} – ${found.message.text}`);
      this.board?.hint(found.move as BoardMove);
    });
  }

  /** A legal move in words, with its cards. */
  moveText(move: Schemas["Move"]): string {
    const cards = move.transfers.flatMap(({ from, count, depth }) => {
      const there = this.pile(from)?.cards ?? [];
      const end = there.length - (depth ?? 1) + 1;
      return there.slice(Math.max(0, end - count), end);
    });
    return moveLabel(this.speech, move.text, cards);
  }

  pile(name: string): Schemas["Pile"] | undefined {
    return this.table?.position.piles.find((pile) => pile.name === name);
  }

  /** Names a position; an empty name removes its bookmark. */
  bookmark(node: number, name: string): Promise<void> {
    return this.enqueue(async (version) => {
      this.update(await api.bookmark(this.id, { version, node, name }));
      this.showMessage(
        name === "" ? this.speech.say("unnamed") : this.speech.say("named", { name }),
      );
    });
  }

  setOptions(options: { verdict?: "thoughtful" | "none"; autoplay?: boolean }): Promise<void> {
    return this.enqueue(async (version) => {
      this.update(await api.options(this.id, { version, ...options }));
    });
  }

  /** Opens a table again that was put away. */
  reopen(): Promise<void> {
    return this.enqueue(async (version) => {
      this.update(await api.open(this.id, version));
      this.showMessage(this.speech.say("tookUp"));
    });
  }

  /** Saves the game as a file. */
  saveFile(): Promise<void> {
    return this.enqueue(async () => {
      const file = await api.export(this.id);
      download(file.file_name, file.text, "text/plain");
      this.showMessage(this.speech.say("saved", { name: file.file_name }));
    });
  }

  /** Deals at a new table and puts this one away. */
  deal(how: { deal?: string; like?: string } = {}): Promise<void> {
    return this.enqueue(async () => {
      const fresh = await api.deal({ game: this.table!.game, ...how, closes: this.id });
      this.epoch += 1;
      location.hash = to("table", fresh.id);
    });
  }

  /** Makes a new deal; if the settings say so, one that can be won. */
  newDeal(): Promise<void> {
    if (!app.settings!.winnable_only) return this.deal();
    this.searching = true;
    return Promise.resolve();
  }
}
