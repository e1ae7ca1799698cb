// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { loadDraft, loadForm, saveDraft, saveForm } from "./drafts";

afterEach(() => vi.restoreAllMocks());

it("stores a draft for each game", () => {
  expect(saveDraft("golf", "packs = 1")).toBe(true);
  expect(loadDraft("golf")).toBe("packs = 1");
  expect(loadDraft("")).toBeNull();
  expect(saveDraft("golf", null)).toBe(true);
  expect(loadDraft("golf")).toBeNull();
});

it("says when the browser stores nothing", () => {
  const refuse = (): never => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem: refuse, removeItem: refuse, getItem: refuse });
  expect(saveDraft("golf", "packs = 1")).toBe(false);
  expect(loadDraft("golf")).toBeNull();
  expect(saveForm({ answers: {}, written: "", replaced: [] })).toBe(false);
  expect(loadForm()).toBeNull();
  vi.unstubAllGlobals();
});

it("stores the form", () => {
  const form = { answers: { packs: "2" }, written: "packs = 2", replaced: ["mine"] };
  expect(saveForm(form)).toBe(true);
  expect(loadForm()).toEqual(form);
  expect(saveForm(null)).toBe(true);
  expect(loadForm()).toBeNull();
});

it.each(["{", "[]", '{"answers": {"packs": 2}, "replaced": [7]}', "3"])(
  "does without a form that is damaged: %s",
  (stored) => {
    localStorage.setItem("cadogan-form", stored);
    expect(loadForm() ?? { answers: {}, replaced: [] }).toMatchObject({
      answers: {},
      replaced: [],
    });
    saveForm(null);
  },
);
