// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { deckImages } from "./card-images";

vi.mock("virtual:decks", () => ({ default: { "two-colour": "/deck.json" } }));
afterEach(() => vi.unstubAllGlobals());

it("fetches a deck once, and again after a failure", async () => {
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal("fetch", fetched);
  fetched.mockResolvedValueOnce(new Response("", { status: 500 }));
  expect((await deckImages("two-colour")).size).toBe(0);
  fetched.mockResolvedValueOnce(new Response('{"AS": "<svg/>"}'));
  const images = await deckImages("two-colour");
  expect(images.get("AS")).toBe('url("data:image/svg+xml,%3Csvg%2F%3E")');
  expect(await deckImages("two-colour")).toBe(images);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("has no images for a deck drawn in CSS", async () => {
  expect((await deckImages("plain")).size).toBe(0);
});
