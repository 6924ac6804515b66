/** A question to the user. */
export interface Question {
  /** the identifier of the question for programs, such as "approve" or "var.region" */
  readonly id: string;
  readonly query: string;
  readonly description?: string;
  /** true to hide the input while it is typed */
  readonly secret?: boolean;
}

/** The input, or the reason why there is none. */
export type AnswerToQuestion = { readonly text: string } | { readonly problem: string };

/** Prompts the user, who may also be a program. Prompts are sequential. */
export interface Ask {
  input(question: Question, signal?: AbortSignal): Promise<AnswerToQuestion>;
}
