/** An object of any schema as handlers see it. */
export type Fields = Readonly<Record<string, unknown>>;
