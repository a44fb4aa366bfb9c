import { account, limits } from './account';
import { build } from './build';
import { money } from './money';
import { operator } from './operator';
import { common, errors, groups, nav, password, shell } from './shell';
import { signIn } from './sign-in';
import { use } from './use';

/** Every word that the console shows. A translation is another object of this type. */
export const t = {
  shell,
  groups,
  nav,
  common,
  errors,
  password,
  signIn,
  ...use,
  ...money,
  ...build,
  limits,
  account,
  operator,
};
