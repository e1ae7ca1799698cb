// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { lastVariants, saveVariants, withLastVariants } from "./deal";
import { app } from "./state.svelte";

const variants = [{ name: "a" }, { name: "b" }];

beforeEach(() => {
  app.settings = { page: {} } as unknown as typeof app.settings;
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
});

it("stores the variants of a game, and drops those that are gone", async () => {
  expect(lastVariants("golf", variants)).toEqual([]);
  await saveVariants("golf", ["b", "old", "a"]);
  expect(lastVariants("golf", variants)).toEqual(["a", "b"]);
  expect(withLastVariants({ name: "golf", variants })).toBe("golf:a+b");
  await saveVariants("golf", []);
  expect(withLastVariants({ name: "golf", variants })).toBe("golf");
});

it("keeps the last hundred games", async () => {
  for (let game = 0; game <= 100; game++) await saveVariants(`game-${game}`, ["a"]);
  expect(lastVariants("game-0", variants)).toEqual([]);
  expect(lastVariants("game-1", variants)).toEqual(["a"]);
});
