// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { CardImages, deckImages } from "./card-images";

vi.mock("virtual:decks", () => ({ default: { "two-colour": "/deck.json", large: "/large.json" } }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("fetches a deck once, and again after a failure", async () => {
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal("fetch", fetched);
  fetched.mockResolvedValueOnce(new Response("", { status: 500 }));
  expect((await deckImages("two-colour")).cards()).toEqual([]);
  fetched.mockResolvedValueOnce(new Response('{"AS": "<svg/>"}'));
  const images = await deckImages("two-colour");
  expect(images.get("AS")).toBe('url("data:image/svg+xml,%3Csvg%2F%3E")');
  expect(await deckImages("two-colour")).toBe(images);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("has no images for a deck drawn in CSS", async () => {
  expect((await deckImages("plain")).cards()).toEqual([]);
});

it("waits for cards that move", async () => {
  vi.useFakeTimers();
  const fetched = vi.fn(() => Promise.resolve(new Response("{}")));
  vi.stubGlobal("fetch", fetched);
  const images = new CardImages("large", () => {});
  images.resize(70);
  images.hold(500);
  await vi.advanceTimersByTimeAsync(300);
  images.hold(500);
  await vi.advanceTimersByTimeAsync(400);
  expect(fetched).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(fetched).toHaveBeenCalledOnce();
});
