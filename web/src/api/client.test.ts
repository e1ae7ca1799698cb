// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Speech } from "../text/speech";
import { api, listen, Refused, setLanguage } from "./client";

const fetched = vi.fn<(path: string, sent: RequestInit) => Promise<Response>>();

beforeEach(() => vi.stubGlobal("fetch", fetched));
afterEach(() => {
  vi.unstubAllGlobals();
  setLanguage("en");
});

function answer(body: unknown, status = 200): void {
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
}

describe("a request", () => {
  it("names the language, and sends JSON", async () => {
    setLanguage("de");
    answer({ id: "t" });
    expect(await api.deal({ game: "golf" })).toEqual({ id: "t" });
    const [path, sent] = fetched.mock.lastCall!;
    expect(path).toBe("/api/tables");
    expect(sent.method).toBe("POST");
    expect(sent.headers).toMatchObject({ "Accept-Language": "de" });
    expect(sent.body).toBe('{"game":"golf"}');
  });

  it("escapes names", async () => {
    answer({});
    await api.rules("own.möhre/x:a+b");
    expect(fetched.mock.lastCall![0]).toBe("/api/games/own.m%C3%B6hre%2Fx%3Aa%2Bb/rules");
  });

  it("that is refused throws the problem", async () => {
    answer({ code: "illegal", message: { key: "x", text: "not on a king" } }, 409);
    const fault: unknown = await api.move("t", { version: 1, text: "a > b" }).catch((e) => e);
    expect(fault).toBeInstanceOf(Refused);
    expect((fault as Refused).message).toBe("not on a king");
    expect((fault as Refused).problem.code).toBe("illegal");
  });

  it("that another program answers counts as unanswered", async () => {
    fetched.mockResolvedValueOnce(new Response("<html>", { status: 502 }));
    await expect(api.about()).rejects.toBeInstanceOf(TypeError);
  });
});

it("stores the labels of a game in the language of the request", async () => {
  setLanguage("de");
  const piles = [{ name: "cellar", label: "Keller" }];
  const variants = [{ name: "one-cell", label: "eine Zelle" }];
  answer({ groups: piles, variants });
  const request = api.game("g");
  setLanguage("en");
  await request;
  expect(new Speech("de").name("cellar.2")).toBe("Keller 2");
  expect(new Speech("de").variant("one-cell")).toBe("eine Zelle");
  expect(new Speech("en").name("cellar.2")).toBe("cellar 2");
});

describe("a connection to a table", () => {
  interface Socket {
    onmessage(event: { data: string }): void;
    onclose(event: { code: number }): void;
  }
  let sockets: Socket[];
  let stop: () => void;
  const news: unknown[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    sockets = [];
    news.length = 0;
    vi.stubGlobal(
      "WebSocket",
      class {
        constructor() {
          sockets.push(this as never);
        }
        close(): void {}
      },
    );
    stop = listen("t", (each) => news.push(each));
  });
  afterEach(() => {
    stop();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("is opened again, until it is closed", () => {
    sockets[0].onmessage({ data: '{"type":"verdict"}' });
    expect(news).toEqual([{ type: "verdict" }]);
    sockets[0].onclose({ code: 1006 });
    vi.runAllTimers();
    expect(sockets).toHaveLength(2);
    stop();
    sockets[1].onclose({ code: 1006 });
    vi.runAllTimers();
    expect(sockets).toHaveLength(2);
  });

  it.each([4403, 4404])("that the server closed for good is not opened again: %s", (code) => {
    sockets[0].onclose({ code });
    vi.runAllTimers();
    expect(sockets).toHaveLength(1);
  });

  it("waits longer each time, up to a minute, until something comes", () => {
    const pauses = [];
    for (let number = 0; number < 9; number++) {
      const before = Date.now();
      sockets.at(-1)!.onclose({ code: 4429 });
      vi.runAllTimers();
      pauses.push(Date.now() - before);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
    sockets.at(-1)!.onmessage({ data: '{"type":"verdict"}' });
    const before = Date.now();
    sockets.at(-1)!.onclose({ code: 1006 });
    vi.runAllTimers();
    expect(Date.now() - before).toBe(1000);
  });
});
