import { expect, test } from "vitest";
import { shortBrowser, shortTime } from "./browser-name";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    "Chrome, Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
    "Safari, iOS",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"],
  ["curl/8.0", "curl/8.0"],
  ["", ""],
])("a browser is named shortly: %s", (agent, name) => {
  expect(shortBrowser(agent)).toBe(name);
});

test("a time is written in the language of the page", () => {
  expect(shortTime("2026-11-23T12:00:00Z", "en")).toContain("2026");
});
