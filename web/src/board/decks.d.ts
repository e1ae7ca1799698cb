declare module "virtual:decks" {
  /** Where the faces of each deck are to be had. */
  const addresses: Record<string, string>;
  export default addresses;
}
