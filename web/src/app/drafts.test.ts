// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { loadDraft, saveDraft } from "./drafts";

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
  vi.unstubAllGlobals();
});
