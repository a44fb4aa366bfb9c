import { Dialog } from '@base-ui/react/dialog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { Activity, useEffect, useRef, useState } from 'react';
import type { ConsoleSession } from '../../generated/types';
import { answer, api, apiRoot } from './api/client';
import { resetToken } from './api/reset-link';
import { ending, logOut, useSession } from './api/session';
import { t } from './texts/texts';
import { Button, buttonClass, Segments } from './ui/controls';
import { Empty, ErrorNote, Loading } from './ui/feedback';
import { Page, Usd } from './ui/layout';
import { PasswordPrompt } from './ui/password-prompt';
import { applyTheme, keptTheme, type Theme } from './ui/theme';
import { SignIn } from './views/sign-in';

const NAVIGATION = [
  {
    title: t.groups.use,
    links: [
      ['/overview', t.nav.overview],
      ['/playground', t.nav.playground],
      ['/requests', t.nav.requests],
    ],
  },
  {
    title: t.groups.money,
    links: [
      ['/top-up', t.nav.topUp],
      ['/transactions', t.nav.transactions],
      ['/prices', t.nav.prices],
    ],
  },
  {
    title: t.groups.build,
    links: [
      ['/keys', t.nav.keys],
      ['/webhooks', t.nav.webhooks],
      ['/documents', t.nav.documents],
      ['/search', t.nav.collections],
      ['/agents', t.nav.agents],
      ['/tasks', t.nav.tasks],
    ],
  },
  {
    title: t.groups.account,
    links: [
      ['/limits', t.nav.limits],
      ['/account', t.nav.account],
    ],
  },
] as const;

const OPERATOR = {
  title: t.groups.operate,
  links: [
    ['/operator/business', t.nav.business],
    ['/operator/accounts', t.nav.accounts],
    ['/operator/upgrades', t.nav.upgrades],
    ['/operator/payments', t.nav.payments],
    ['/operator/health', t.nav.health],
    ['/operator/deliveries', t.nav.deliveries],
    ['/operator/reconciliation', t.nav.reconciliation],
    ['/operator/audit', t.nav.audit],
  ],
} as const;

/** The frame of every view, or the log-in where nobody is logged in. */
export function Shell() {
  const session = useSession();
  // Also where a session is left: whoever has forgotten the password can't change it there.
  const [isResetting, setResetting] = useState(resetToken !== undefined);
  if (session.isPending) {
    return <Loading />;
  }
  if (session.error) {
    return (
      <div className="mx-auto max-w-xl p-6">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  }
  const shown = isResetting ? undefined : (session.data ?? ending.left);
  return (
    <>
      {shown && (
        // What was typed when a session ended waits for the same account to come back.
        <Activity key={shown.user.id} mode={session.data ? 'visible' : 'hidden'}>
          <Frame session={shown} />
        </Activity>
      )}
      {(isResetting || !session.data) && <SignIn onReset={() => setResetting(false)} />}
    </>
  );
}

function Frame({ session }: { session: ConsoleSession }) {
  const { pathname } = useRouterState({ select: (state) => state.location });
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  // A new view begins at its top, and a screen reader goes there with it.
  useEffect(() => {
    setOpen(false);
    if (shown.current !== pathname) {
      shown.current = pathname;
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname]);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="absolute -top-20 left-3 z-50 rounded-lg bg-fill px-4 py-2 text-white focus:top-3"
      >
        {t.shell.skip}
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-surface lg:block">
        <Sidebar session={session} />
      </aside>
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <header className="sticky top-0 z-30 flex h-14 items-center gap-3 border-b border-line bg-surface px-4 lg:hidden">
          <Dialog.Trigger className={buttonClass('secondary', true)}>{t.shell.menu}</Dialog.Trigger>
          <Brand />
          <span className="ml-auto">
            <Balance />
          </span>
        </header>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50 lg:hidden" />
          <Dialog.Popup
            onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] border-r border-line bg-surface shadow-2xl lg:hidden"
          >
            <Dialog.Title className="sr-only">{t.shell.navigation}</Dialog.Title>
            <Sidebar session={session} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl min-w-0 px-4 py-6 outline-none sm:px-8 sm:py-9"
      >
        <Outlet />
      </main>
      <PasswordPrompt />
    </div>
  );
}

function Brand() {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-tight">
      <img src="./favicon.svg" alt="" className="size-7" />
      {t.shell.name}
    </span>
  );
}

function Balance() {
  const { data } = useBalance();
  return data === undefined ? null : (
    <Link to="/top-up" className="text-sm font-semibold">
      <span className="sr-only">{t.shell.balance} </span>
      <Usd amount={data.available} />
    </Link>
  );
}

export function useBalance() {
  return useQuery({
    queryKey: ['balance'],
    queryFn: ({ signal }) => answer(api.GET('/api/payments/credits/balance', { signal })),
    refetchInterval: 60_000,
  });
}

function Sidebar({ session }: { session: ConsoleSession }) {
  const { user } = session;
  const groups = user.role === 'admin' ? [OPERATOR, ...NAVIGATION] : NAVIGATION;
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-16 shrink-0 items-center px-5">
        <Brand />
      </div>
      <nav aria-label={t.shell.navigation} className="flex-1 overflow-y-auto px-3 pb-4">
        {groups.map(({ title, links }) => (
          <div key={title} className="mb-4">
            <p className="px-2 pb-1 text-xs font-semibold tracking-wide text-muted uppercase">{title}</p>
            <ul>
              {links.map(([to, text]) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="block rounded-lg px-2 py-1.5 text-muted hover:bg-raised hover:text-ink"
                    activeProps={{ className: 'bg-tint! text-accent! font-medium' }}
                  >
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <a
          href={`${apiRoot}/docs`}
          target="_blank"
          rel="noreferrer"
          className="block rounded-lg px-2 py-1.5 text-muted hover:bg-raised hover:text-ink"
        >
          {t.shell.documentation} <span aria-hidden="true">↗</span>
        </a>
      </nav>
      <Foot username={user.username} email={user.email} />
    </div>
  );
}

function Foot({ username, email }: { username: string; email: string }) {
  const [theme, setTheme] = useState<Theme>(keptTheme);
  const leaving = useMutation({ mutationFn: logOut });
  const themes = (['system', 'light', 'dark'] as const).map((value) => ({
    value,
    text: t.shell.themes[value],
  }));
  return (
    <div className="border-t border-line p-4">
      <Segments
        label={t.shell.theme}
        value={theme}
        choices={themes}
        onChange={(value) => {
          setTheme(value);
          applyTheme(value);
        }}
      />
      <div className="mt-3 flex items-center justify-between gap-2">
        <div className="min-w-0 text-sm">
          <p className="truncate font-medium">{username}</p>
          <p className="truncate text-muted">{email}</p>
        </div>
        <Button look="quiet" small busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t.shell.logOut}
        </Button>
      </div>
      <ErrorNote error={leaving.error} />
    </div>
  );
}

/** In the place of a view that could not be loaded or shown. */
export function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  return <ErrorNote error={error} onRetry={() => void router.invalidate()} />;
}

export function NotFound() {
  return (
    <Page title={t.shell.notFound}>
      <Empty
        title={t.shell.notFound}
        action={
          <Link to="/overview" className={buttonClass('primary')}>
            {t.shell.toOverview}
          </Link>
        }
      >
        {t.shell.notFoundText}
      </Empty>
    </Page>
  );
}
