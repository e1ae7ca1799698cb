/** Short names of browsers and times, for the list of sessions. */

/** "Firefox, Linux" from what a browser says of itself; "" if that says nothing. */
export function shortBrowser(agent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]): string =>
    names.find(([pattern]) => pattern.test(agent))?.[1] ?? "";
  const browser = find([
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrom(e|ium)\//, "Chrome"],
    [/Safari\//, "Safari"],
  ]);
  const system = find([
    [/Android/, "Android"],
    [/iPhone|iPad/, "iOS"],
    [/Windows/, "Windows"],
    [/Mac OS X/, "macOS"],
    [/Linux/, "Linux"],
  ]);
  return [browser, system].filter((each) => each !== "").join(", ") || agent.slice(0, 40);
}

/** A time as a short text. */
export function shortTime(time: string, language: string): string {
  return new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
