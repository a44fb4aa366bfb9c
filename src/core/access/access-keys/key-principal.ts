/** The access key that a call was made with. */
export interface KeyPrincipal {
  id: string;
  accountId: string;
}
