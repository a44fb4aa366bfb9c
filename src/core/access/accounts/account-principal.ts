/** The account that makes a call, whether with an account token or with an access key. */
export interface AccountPrincipal {
  id: string;
  role: 'user' | 'admin';
  tier: string;
}
