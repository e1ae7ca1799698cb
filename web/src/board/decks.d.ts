declare module "virtual:decks" {
  /** The address of the images of each deck. */
  const addresses: Record<string, string>;
  export default addresses;
}
