/** An object as handlers see it, of whatever schema. */
export type Fields = Readonly<Record<string, unknown>>;
