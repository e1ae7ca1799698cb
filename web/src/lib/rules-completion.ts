/** What can be written at a place of a rules file: keys, values, phrases and names of groups. */

import type { Schemas } from "../api/client";
import { placeAt, type Place } from "./toml-place";

export type Vocabulary = Schemas["Vocabulary"];

export interface Offer {
  /** What is offered. */
  label: string;
  kind: "header" | "key" | "value";
  /** What it is for; empty if that is unknown. */
  about: string;
  /** The text to insert. */
  insert: string;
}

export interface Offers {
  place: Place;
  offers: Offer[];
}

/** The part of JSON Schema that the schema of a rules file uses. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  description?: string;
}

class Walk {
  private readonly root: Schema;

  constructor(vocabulary: Vocabulary) {
    this.root = vocabulary.json_schema as Schema;
  }

  /** The schemas that a schema stands for: without references, alternatives and lists. */
  private plain(schema: Schema): Schema[] {
    if (schema.$ref) return this.plain(this.root.$defs![schema.$ref.split("/").at(-1)!]);
    if (schema.anyOf) return schema.anyOf.flatMap((each) => this.plain(each));
    return schema.items ? this.plain(schema.items) : [schema];
  }

  /** The schema of a key, with its description. */
  at(tables: readonly Schema[], key: string): Schema | null {
    for (const table of tables) {
      const known = table.properties?.[key] ?? table.additionalProperties;
      if (known && known !== true) return known;
    }
    return null;
  }

  /** The schemas of a table. */
  table(path: readonly string[]): Schema[] {
    let found = [this.root];
    for (const key of path) {
      const next = this.at(found, key);
      found = next === null ? [] : this.values(next);
    }
    return found;
  }

  values(schema: Schema): Schema[] {
    return this.plain(schema);
  }

  isTable(schema: Schema): boolean {
    return this.plain(schema).some((each) => each.type === "object" || each.properties);
  }

  isList(schema: Schema): boolean {
    return schema.type === "array";
  }
}

/** The names of the groups of piles in a file: its tables that the schema does not name. */
function groupsIn(text: string, head: Schema): string[] {
  const names = [...text.matchAll(/^[ \t]*\[([\p{L}\p{N}_-]+)\]/gmu)].map((match) => match[1]);
  return [...new Set(names)].filter((name) => head.properties?.[name] === undefined);
}

function keysAt(walk: Walk, place: Place, text: string): Offer[] {
  const follows = /^\s*=/.test(text.slice(place.to));
  return walk.table(place.table).flatMap((table) =>
    Object.entries(table.properties ?? {})
      .filter(([key]) => !place.used.includes(key))
      .map(([key, schema]) => {
        const insert = follows ? key : `${key} = `;
        return { label: key, kind: "key" as const, about: schema.description ?? "", insert };
      }),
  );
}

function headersAt(walk: Walk, place: Place, text: string, vocabulary: Vocabulary): Offer[] {
  const isList = text.slice(0, place.from).endsWith("[[");
  const tables = walk.table(place.table);
  const named = tables.flatMap((table) => Object.entries(table.properties ?? {}));
  const offers = named
    .filter(([, schema]) => walk.isTable(schema) && walk.isList(schema) === isList)
    .map(([name, schema]) => [name, schema.description ?? ""]);
  // Other names are those of groups, where groups can be.
  const hasGroups = tables.some((table) => {
    const other = table.additionalProperties;
    return other && other !== true && walk.values(other).some((each) => each.properties?.role);
  });
  const known = groupsIn(text, walk.table([])[0]);
  const groups = place.table.length > 0 ? [...known, ...vocabulary.groups] : vocabulary.groups;
  if (hasGroups && !isList) offers.unshift(...[...new Set(groups)].map((name) => [name, ""]));
  const exists = (name: string): boolean => place.table.length === 0 && known.includes(name);
  return offers
    .filter(([name]) => !exists(name))
    .map(([name, about]) => ({ label: name, kind: "header", about, insert: name }));
}

function valuesAt(walk: Walk, place: Place, text: string, vocabulary: Vocabulary): Offer[] {
  const schema = walk.at(walk.table(place.table), place.key);
  if (schema === null) return [];
  const forms = walk.values(schema);
  const choices = forms.flatMap(
    (form) => form.enum ?? (form.const === undefined ? [] : [form.const]),
  );
  const isText = (form: Schema): boolean => form.type === "string" && form.enum === undefined;
  if (forms.some((form) => form.type === "boolean" && form.const === undefined))
    choices.push(true, false);
  if (forms.some(isText)) {
    if (vocabulary.piles.includes(place.key)) choices.push(...groupsIn(text, walk.table([])[0]));
    choices.push(...(vocabulary.phrases[place.key] ?? []));
  }
  const about = schema.description ?? "";
  return [...new Set(choices)].flatMap((value): Offer[] => {
    const label = String(value);
    if (typeof value !== "string")
      return place.quote ? [] : [{ label, kind: "value", about, insert: label }];
    const quote = place.quote || '"';
    const insert = `${place.quote ? "" : quote}${label}${place.closed ? "" : quote}`;
    return [{ label, kind: "value", about, insert }];
  });
}

/** What can be written at an offset of a text; null if nothing is known. */
export function offersAt(text: string, offset: number, vocabulary: Vocabulary): Offers | null {
  const place = placeAt(text, offset);
  if (place === null) return null;
  const walk = new Walk(vocabulary);
  const offers =
    place.kind === "key"
      ? keysAt(walk, place, text)
      : place.kind === "header"
        ? headersAt(walk, place, text, vocabulary)
        : valuesAt(walk, place, text, vocabulary);
  return offers.length > 0 ? { place, offers } : null;
}
