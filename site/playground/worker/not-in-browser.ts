/** Thrown by features that need files, programs or servers outside of the browser. */
export class NotInBrowser extends Error {
  constructor(feature: string) {
    super(`${feature} are not available in the browser. Install Terrane to use them.`);
    this.name = 'NotInBrowser';
  }
}
