// The part of the browser that graph pages use. `lib.dom` would also declare globals such as `name` and `event` in every
// other source file, where a misspelt variable would then compile.

/** An element of the page. */
export interface PageElement {
  className: string;
  hidden: boolean;
  textContent: string | null;
  scrollTop: number;
  /** type, state and text of an input */
  type: string;
  checked: boolean;
  value: string;
  readonly style: { borderColor: string; borderLeftColor: string; color: string };
  setAttribute(name: string, value: string): void;
  append(...content: readonly (PageElement | string)[]): void;
  after(...content: readonly PageElement[]): void;
  replaceChildren(...content: readonly PageElement[]): void;
  querySelector(selectors: string): PageElement | null;
  querySelectorAll(selectors: string): Iterable<PageElement>;
  click(): void;
  focus(): void;
  addEventListener(type: 'click' | 'change' | 'input', listener: () => void): void;
  addEventListener(type: 'keydown', listener: (event: PageKeyEvent) => void): void;
}

/** A key press. */
export interface PageKeyEvent {
  readonly key: string;
  preventDefault(): void;
}

/** An event of a pointer or a wheel. */
export interface PagePointerEvent {
  readonly offsetX: number;
  readonly offsetY: number;
  readonly deltaY: number;
  readonly pointerId: number;
  preventDefault(): void;
}

/** The canvas of the graph. */
export interface PageCanvas {
  width: number;
  height: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
  getContext(kind: '2d'): PageContext;
  setPointerCapture(pointerId: number): void;
  addEventListener(type: 'keydown', listener: (event: PageKeyEvent) => void): void;
  addEventListener(
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'wheel',
    listener: (event: PagePointerEvent) => void,
  ): void;
}

/** The drawing context of a canvas. */
export interface PageContext {
  fillStyle: string;
  font: string;
  globalAlpha: number;
  lineWidth: number;
  strokeStyle: string;
  textAlign: 'center' | 'left';
  textBaseline: 'middle';
  beginPath(): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;
  fill(): void;
  fillText(text: string, x: number, y: number, maxWidth: number): void;
  lineTo(x: number, y: number): void;
  moveTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  stroke(): void;
}

/** The document of the page. */
export interface PageDocument {
  readonly activeElement: PageElement | null;
  readonly body: PageElement;
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
}

/** The window of the page. */
export interface PageWindow {
  readonly devicePixelRatio: number;
  readonly history: { replaceState(state: null, unused: string, url: string): void };
  readonly location: { readonly hash: string };
  readonly ResizeObserver: new (callback: () => void) => { observe(element: PageCanvas): void };
  addEventListener(type: 'keydown', listener: (event: PageKeyEvent) => void): void;
  getComputedStyle(element: PageElement): { readonly color: string };
  matchMedia(query: string): { addEventListener(type: 'change', listener: () => void): void };
  requestAnimationFrame(callback: () => void): number;
}
