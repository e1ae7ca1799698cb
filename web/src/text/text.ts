/** A text of the page in English and in German. */
export type Text = readonly [en: string, de: string];
