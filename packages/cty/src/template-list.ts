/** The cost of a template, in matches. */
const COST = 5;

/** Limits of a {@link TemplateList}. */
export interface TemplateLimits {
  readonly templates: number;
  /** Additions less matches after which there are no more templates, in matches. */
  readonly credit: number;
}

/**
 * The templates that matched last. Each addition costs credit and each match earns some, so that data of which few match
 * is not compared with templates for long.
 */
export class TemplateList<T> {
  /** the latest match first */
  readonly templates: T[] = [];
  readonly #limits: TemplateLimits;
  #credit: number;

  constructor(limits: TemplateLimits) {
    this.#limits = limits;
    this.#credit = limits.credit;
  }

  /** Records that the template at an index matched. */
  matched(index: number): void {
    const { templates } = this;
    if (this.#credit < this.#limits.credit) this.#credit++;
    if (index === 0) return;
    const template = templates[index] as T;
    templates.copyWithin(1, 0, index);
    templates[0] = template;
  }

  /** Adds a template, unless `make` returns none, if it can be expected to save more than it costs. */
  add(make: () => T | undefined): void {
    if (this.#credit <= 0) return;
    const { templates } = this;
    this.#credit -= COST;
    if (this.#credit <= 0) {
      templates.length = 0;
      return;
    }
    const template = make();
    if (template === undefined) return;
    if (templates.length === this.#limits.templates) templates.pop();
    templates.unshift(template);
  }
}
