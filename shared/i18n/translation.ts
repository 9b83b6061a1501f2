/** The same keys as the English catalog of an area, each with a text. */
export type Translation<En> = { readonly [K in keyof En]: string };
