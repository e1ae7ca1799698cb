// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../api/client";
import { app } from "./state.svelte";

const refusal = new Refused({
  code: "bad",
  message: { key: "x", text: "no such game" },
} as unknown as Refused["problem"]);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}")));
  app.offline = false;
  app.failure = "";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a failure", () => {
  it("is shown if the server refused", async () => {
    await app.attempt(() => Promise.reject(refusal));
    expect(app.failure).toBe("no such game");
    expect(app.offline).toBe(false);
  });

  it("is thrown again if it is a mistake of the page", async () => {
    await expect(app.attempt(() => Promise.reject(new RangeError("x")))).rejects.toThrow("x");
  });
});

describe("loading", () => {
  it("starts again when the server answers again", async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new TypeError("offline"));
    await app.load(work.mockResolvedValue(undefined));
    expect(app.offline).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(work).toHaveBeenCalledTimes(2);
    expect(app.offline).toBe(false);
    await app.retry();
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("is not repeated after a refusal", async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(refusal);
    await app.load(work);
    await app.retry();
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe("settings that cannot be had", () => {
  beforeEach(() => {
    app.settings = null;
    localStorage.clear();
  });

  it("are the defaults, and the refusal is shown", async () => {
    const problem = {
      code: "unavailable",
      message: { key: "x", text: "the database is damaged" },
      hint: "'cadogan rescue FILE' copies all that is whole",
    };
    vi.stubGlobal("fetch", () =>
      Promise.resolve(new Response(JSON.stringify(problem), { status: 503 })),
    );
    localStorage.setItem("cadogan-look", '{"theme":"dark","felt":"blue"}');
    await app.loadSettings();
    expect(app.settings).toMatchObject({ theme: "dark", felt: "blue", speed: 1, page: {} });
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(app.failure).toBe(
      "The database is damaged. 'cadogan rescue FILE' copies all that is whole.",
    );
    expect(app.pageSetting("back", "lattice")).toBe("lattice");
  });

  it.each(["[]", "null", "7", '{"page":null,"theme":5,"speed":"x"}', "{}"])(
    "are repaired if they are odd: %s",
    async (odd) => {
      vi.stubGlobal("fetch", () => Promise.resolve(new Response(odd)));
      await app.loadSettings();
      expect(app.settings).toMatchObject({ theme: "auto", felt: "green", speed: 1, page: {} });
      expect(app.failure).toBe("");
      expect(app.pageSetting("back", "lattice")).toBe("lattice");
    },
  );

  it("are waited for while the server does not answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    await app.loadSettings();
    expect(app.settings).toBeNull();
    expect(app.offline).toBe(true);
    vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"theme":"light"}')));
    await app.retry();
    expect(app.settings).toMatchObject({ theme: "light" });
  });
});

describe("settings", () => {
  const settings = { language: "en", theme: "light", felt: "green", speed: 1, page: {} };

  beforeEach(() => {
    app.settings = settings as unknown as typeof app.settings;
  });

  it("apply at once, and are sent one after the other", async () => {
    const sent: string[] = [];
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
      sent.push(body);
      return Promise.resolve(new Response("{}"));
    });
    const first = app.saveSettings({ theme: "dark" });
    expect(document.documentElement.dataset.theme).toBe("dark");
    await Promise.all([first, app.saveSettings({ felt: "blue" })]);
    expect(sent.map((body) => JSON.parse(body) as object)).toMatchObject([
      { theme: "dark", felt: "green" },
      { theme: "dark", felt: "blue" },
    ]);
  });

  it("choose the language of the page", async () => {
    await app.saveSettings({ language: "de" });
    expect(app.speech.language).toBe("de");
    expect(document.documentElement.lang).toBe("de");
  });

  it("of the page itself have a default", async () => {
    expect(app.pageSetting("back", "lattice")).toBe("lattice");
    await app.savePageSetting("back", "red");
    expect(app.pageSetting("back", "lattice")).toBe("red");
  });
});
