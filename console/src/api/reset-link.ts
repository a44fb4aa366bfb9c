/** The token of a link that sets a new password. It leaves the address at once, before the router or a bookmark sees it. */
export const resetToken = /^#token=(.+)$/.exec(location.hash)?.[1];

if (resetToken !== undefined) {
  history.replaceState(null, '', './');
}
