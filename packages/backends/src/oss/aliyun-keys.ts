/** Keys for signing requests to Alibaba Cloud. */
export interface AliyunKeys {
  /** empty: nobody is signed in */
  readonly id: string;
  readonly secret: string;
  /** of a session; empty: there is none */
  readonly token: string;
}
