/** How long the browser may take to begin reading the file, in milliseconds. */
const LIFETIME = 10_000;

/** Saves a text as a file of the browser's. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LIFETIME);
}
