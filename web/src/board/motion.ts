/** Whether cards appear in their new places at once: by the setting, or by the system's. */
export function isStill(speed: number): boolean {
  return speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
