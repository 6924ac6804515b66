/** A question to the user. */
export interface Question {
  /** the identifier of the question for programs, such as "approve" or "var.region" */
  readonly id: string;
  readonly query: string;
  readonly description?: string;
  /** the answer must not be seen while it is typed */
  readonly secret?: boolean;
}

/** An answer, or the reason why there is none. */
export type AnswerToQuestion = { readonly text: string } | { readonly problem: string };

/** Asks the user, who may also be a program. Questions come one at a time. */
export interface Ask {
  input(question: Question, signal?: AbortSignal): Promise<AnswerToQuestion>;
}
