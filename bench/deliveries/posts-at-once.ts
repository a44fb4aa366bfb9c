/** Bare posts under way at once: four to each of the 50 receivers. */
export const POSTS_AT_ONCE = 200;
