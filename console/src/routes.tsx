import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/client';
import { Failed, NotFound, Shell } from './shell';

/** What filters and pages stand in the address, so that a view can be sent to somebody and found again. */
export interface Search {
  offset?: number;
  cursor?: string;
  status?: string;
  type?: string;
  key?: string;
  operation?: string;
  model?: string;
  q?: string;
  from?: string;
  to?: string;
  id?: string;
  days?: number;
  user?: string;
  collection?: string;
}

const TEXTS = [
  'cursor',
  'status',
  'type',
  'key',
  'operation',
  'model',
  'q',
  'from',
  'to',
  'id',
  'user',
  'collection',
] as const;

function readSearch(search: Record<string, unknown>): Search {
  const read: Search = {};
  for (const name of TEXTS) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') {
      read[name] = value;
    }
  }
  for (const name of ['offset', 'days'] as const) {
    const value = search[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) {
      read[name] = value;
    }
  }
  return read;
}

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: readSearch,
});

type View = Parameters<typeof lazyRouteComponent>[0];

function view<Path extends string>(path: Path, load: View, name: string) {
  const part: View = () =>
    load().catch(async (cause: unknown) => {
      // The router loads the page anew, because a newer build has other parts. Where nothing answers, that would end the console.
      await fetch(document.baseURI, { method: 'HEAD' }).catch(() => {
        throw new ApiError(0, {});
      });
      throw cause;
    });
  return createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(part, name) });
}

const index = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- How this router is led elsewhere.
    throw redirect({ to: '/overview' });
  },
});

// Each view is a part of its own, loaded when somebody goes there.
const routeTree = rootRoute.addChildren([
  index,
  view('/overview', () => import('./views/overview'), 'Overview'),
  view('/top-up', () => import('./views/top-up'), 'TopUp'),
  view('/top-up/$id', () => import('./views/payment'), 'PaymentView'),
  view('/keys', () => import('./views/keys'), 'Keys'),
  view('/requests', () => import('./views/requests'), 'Requests'),
  view('/requests/$id', () => import('./views/receipt'), 'ReceiptView'),
  view('/transactions', () => import('./views/transactions'), 'Transactions'),
  view('/prices', () => import('./views/prices'), 'Prices'),
  view('/playground', () => import('./views/playground'), 'Playground'),
  view('/webhooks', () => import('./views/webhooks'), 'Webhooks'),
  view('/webhooks/$id', () => import('./views/webhook'), 'WebhookView'),
  view('/documents', () => import('./views/documents'), 'Documents'),
  view('/search', () => import('./views/collections'), 'Collections'),
  view('/agents', () => import('./views/agents'), 'Agents'),
  view('/tasks', () => import('./views/tasks'), 'Tasks'),
  view('/limits', () => import('./views/limits'), 'Limits'),
  view('/account', () => import('./views/account'), 'Account'),
  view('/operator/accounts', () => import('./operator/accounts'), 'Accounts'),
  view('/operator/accounts/$id', () => import('./operator/one-account'), 'OneAccount'),
  view('/operator/upgrades', () => import('./operator/upgrades'), 'Upgrades'),
  view('/operator/payments', () => import('./operator/payments'), 'Payments'),
  view('/operator/business', () => import('./operator/business'), 'Business'),
  view('/operator/health', () => import('./operator/health'), 'Health'),
  view('/operator/deliveries', () => import('./operator/deliveries'), 'Deliveries'),
  view('/operator/reconciliation', () => import('./operator/reconciliation'), 'Reconciliation'),
  view('/operator/audit', () => import('./operator/audit'), 'Audit'),
]);

/** The path stands behind the #, so that the bundle can be served from any folder without a rule for its paths. */
export const router = createRouter({
  routeTree,
  defaultErrorComponent: Failed,
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
