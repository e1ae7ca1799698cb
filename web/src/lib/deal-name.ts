/** The name of a deal as a player types it: "617" is one of our own, "ms:617" names its scheme. */
export function dealName(typed: string): string {
  const name = typed
    .trim()
    .replace(/^#/, "")
    .replace(/\s*:\s*/, ":");
  return /^[\d\s.,'_]+$/.test(name) ? `cadogan:${name.replace(/\D/g, "")}` : name;
}
