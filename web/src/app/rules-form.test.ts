// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { api, type Schemas } from "../api/client";
import { RulesForm } from "./rules-form.svelte";

const packs = { key: "packs", label: "Packs", help: "", kind: "number", default: "1" } as const;
const SECTIONS: Schemas["FormSection"][] = [
  {
    key: "game",
    label: "The game",
    choices: [{ ...packs, options: [], least: 1, most: 4, unless: [] }],
  },
];
const MISFIT = { choices: ["packs"], text: "nine is too many" };

function answered(answers: Record<string, string>): Schemas["WrittenRules"] {
  if (answers["packs"] === "9") return { text: null, misfits: [MISFIT] };
  return { text: `packs = ${answers["packs"] ?? 1}`, misfits: [] };
}

beforeEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
  vi.spyOn(api, "form").mockResolvedValue(SECTIONS);
  vi.spyOn(api, "write").mockImplementation((answers) => Promise.resolve(answered(answers)));
});

async function loaded(): Promise<RulesForm> {
  const form = new RulesForm();
  await form.load();
  return form;
}

it("writes the text of the answers", async () => {
  const form = await loaded();
  expect([form.initial, form.written]).toEqual(["packs = 1", "packs = 1"]);
  form.answers["packs"] = "2";
  await form.write();
  expect(form.written).toBe("packs = 2");
});

it("keeps the last text while answers do not fit, and says why", async () => {
  const form = await loaded();
  form.answers["packs"] = "9";
  await form.write();
  expect(form.written).toBe("packs = 1");
  const choice = SECTIONS[0]!.choices[0]!;
  expect(form.misfitsOf(choice)).toEqual([MISFIT.text]);
  form.answers["packs"] = "3";
  await form.write();
  expect(form.misfitsOf(choice)).toEqual([]);
});

it("ignores an answer of the server that came too late", async () => {
  const form = await loaded();
  let late!: (written: Schemas["WrittenRules"]) => void;
  vi.mocked(api.write).mockReturnValueOnce(new Promise((done) => (late = done)));
  const slow = form.write();
  form.answers["packs"] = "4";
  await form.write();
  late({ text: "late", misfits: [] });
  await slow;
  expect(form.written).toBe("packs = 4");
});

it("gives back every text that it has replaced", async () => {
  const form = await loaded();
  expect(form.replace("mine")).toBe("packs = 1");
  expect(form.replace("mine too")).toBe("packs = 1");
  const again = await loaded();
  expect([again.restore(), again.restore(), again.restore()]).toEqual([
    "mine too",
    "mine",
    "packs = 1",
  ]);
});

it("is restored as it was left, without answers that are no longer asked for", async () => {
  const form = await loaded();
  form.answers["packs"] = "2";
  await form.write();
  const stored = JSON.parse(localStorage.getItem("cadogan-form")!) as { answers: object };
  const answers = { ...stored.answers, jokers: "3" };
  localStorage.setItem("cadogan-form", JSON.stringify({ ...stored, answers }));
  const again = await loaded();
  expect({ ...again.answers }).toEqual({ packs: "2" });
  expect(again.written).toBe("packs = 2");
  again.reset();
  expect([{ ...again.answers }, again.written]).toEqual([{}, "packs = 1"]);
  expect(localStorage.getItem("cadogan-form")).toBeNull();
});
