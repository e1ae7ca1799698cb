/** Which variants of a game go together. */

import type { Schemas } from "../api/client";

type Variant = Schemas["Variant"];

/** The variants chosen after one is switched on or off; switching it on removes those it excludes. */
export function toggleVariant(
  variants: readonly Variant[],
  chosen: readonly string[],
  name: string,
  on: boolean,
): string[] {
  const excluded = variants.find((each) => each.name === name)?.excludes ?? [];
  const names = variants.map((each) => each.name);
  if (!on) return names.filter((each) => chosen.includes(each) && each !== name);
  return names.filter(
    (each) =>
      each === name || (chosen.includes(each) && !excluded.some((other) => other.variant === each)),
  );
}

/** The chosen variants without conflicts: of two that exclude each other, the later one stays. */
export function compatibleVariants(
  variants: readonly Variant[],
  chosen: readonly string[],
): string[] {
  return chosen.reduce<string[]>((kept, name) => toggleVariant(variants, kept, name, true), []);
}

/** Why a variant does not go with the chosen ones; undefined if it does. */
export function conflict(
  variant: Variant,
  chosen: readonly string[],
): Schemas["Exclusion"] | undefined {
  if (chosen.includes(variant.name)) return undefined;
  return variant.excludes.find((each) => chosen.includes(each.variant));
}
