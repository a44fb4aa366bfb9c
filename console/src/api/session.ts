import { notifyManager, QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ConsoleSession } from '../../../generated/types';
import { endAccessKey, forgetAccessKey, setCap } from './access-key';
import { answer, api, ApiError, type Answered } from './client';
import { resetToken } from './reset-link';

/**
 * Says no more than that somebody logged in here, and when, so that a stranger's visit need not ask for a session, and each tab learns
 * that another one has logged in or out.
 */
const HINT = 'console.session';
/** What it said when this tab asked for its session. */
let heeded: string | null = null;
const RETRY_AFTER_MAX_SECONDS = 5;

// A button has to be busy before the second click of two: a task later, as is usual here, both would be sent.
notifyManager.setScheduler(queueMicrotask);

export const queries = new QueryClient({
  defaultOptions: {
    // What the browser says of the network is nothing of a service on the same machine, and a call that waits for it says nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (failures, error) =>
        1000 *
        (error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds : failures + 1),
    },
  },
});

/** Whether it will pass by itself, and soon. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) {
    return false;
  }
  return error.status === 429
    ? (error.retryAfterSeconds ?? 1) <= RETRY_AFTER_MAX_SECONDS
    : error.status === 0 || error.status >= 502;
}

const SESSION = ['session'];

/** Who is logged in; null where nobody is. */
export function useSession() {
  return useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: Infinity });
}

export function usePrices() {
  return useQuery({
    queryKey: ['public-prices'],
    queryFn: ({ signal }) => answer(api.GET('/api/pricing/public', { signal })),
    staleTime: Infinity,
  });
}

async function readSession(): Promise<ConsoleSession | null> {
  heeded = localStorage.getItem(HINT);
  if (heeded === null) {
    return null;
  }
  try {
    return await answer(api.GET('/api/console/session'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      return null;
    }
    throw error;
  }
}

export async function logIn(email: string, password: string): Promise<void> {
  const session = await answer(api.POST('/api/console/session', { body: { email, password } }));
  heeded = String(Date.now());
  localStorage.setItem(HINT, heeded);
  begin(session);
}

export async function logOut(): Promise<void> {
  await endAccessKey();
  await answer(api.DELETE('/api/console/session')).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) {
      throw error;
    }
  });
  forget();
}

/** Forgets everything that the account's views have shown. */
export function forget(why?: Why): void {
  heeded = null;
  localStorage.removeItem(HINT);
  leave(why);
}

/** @param left whose views wait for the same account to come back */
function leave(why: Why, left?: ConsoleSession): void {
  forgetAccessKey();
  ending.why = why;
  ending.left = left;
  dispatchEvent(new Event(ENDED));
  begin(null);
}

const ENDED = 'session-ended';

/** What else is typed outlasts the session; secrets and passwords do not. */
export function useForgotten(clear: () => void): void {
  const onEnd = useEffectEvent(clear);
  useEffect(() => {
    addEventListener(ENDED, onEnd);
    return () => removeEventListener(ENDED, onEnd);
  }, []);
}

/** Everything of another account goes. The session itself stays in place: who shows it would not hear of another one. */
function begin(session: ConsoleSession | null): void {
  if (ending.left === undefined || (session && session.user.id !== ending.left.user.id)) {
    setCap();
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  }
  queries.setQueryData(SESSION, session);
  if (session) {
    ending.why = undefined;
    ending.left = undefined;
    outdate();
  }
}

function present(): ConsoleSession | undefined {
  return queries.getQueryData<ConsoleSession | null>(SESSION) ?? undefined;
}

/** The cookie is that of all tabs: one that shows another account than it stands for would make changes of that one. */
function leaveToAnother(): void {
  const shown = present() ?? ending.left;
  const hint = localStorage.getItem(HINT);
  // Whoever sets a new password by a link would lose it.
  if (hint === heeded || (shown === undefined && resetToken !== undefined)) {
    return;
  }
  if (hint === null || shown === undefined) {
    location.reload();
    return;
  }
  leave('unasked', shown);
  void readSession().then(begin, () => location.reload());
}

window.addEventListener('storage', leaveToAnother);
document.addEventListener('visibilitychange', leaveToAnother);

/** Why the session ended: by itself or by the operator, or with the old password. Undefined where somebody logged out. */
export const ending: { why: Why; left?: ConsoleSession | undefined } = { why: undefined };
type Why = 'unasked' | 'password' | undefined;

function notice(error: unknown): void {
  const shown = present();
  if (error instanceof ApiError && error.endsSession && shown) {
    leave('unasked', shown);
  }
}

queries.getQueryCache().config.onError = notice;
queries.getMutationCache().config.onError = notice;
queries.getMutationCache().config.onSettled = (_data, error) =>
  outdate(error instanceof ApiError && error.status === 0);

/**
 * Whatever was done may have changed what other views have shown, and the money there: they ask anew when they are opened.
 * @param isUnknown whether it was done: then what is shown asks at once, as people are told to look
 */
export function outdate(isUnknown = false): void {
  const lasting = [SESSION[0], 'public-prices', 'kept'];
  void queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) => !lasting.includes(String(name)),
    refetchType: isUnknown ? 'active' : 'none',
  });
  void queries.invalidateQueries({ queryKey: ['balance'] });
}

type Prompt = () => Promise<boolean>;
let prompt: Prompt = () => Promise.resolve(false);

/** The dialogue that asks for the password. */
export function setPasswordPrompt(ask: Prompt): void {
  prompt = ask;
}

/** Makes a change; where the service asks for the password again, so does the console, and then makes it once more. */
export async function change<Data>(call: () => Promise<Answered<Data>>): Promise<Data> {
  try {
    return await answer(call());
  } catch (error) {
    if (error instanceof ApiError && error.needsPassword && (await prompt())) {
      return answer(call());
    }
    throw error;
  }
}

/** A state that outlives its view, and leaves nothing in the browser. What is written for one account, no other reads. */
export function useKept<State>(name: string, initial: State): [State, (change: Change<State>) => void] {
  const { data: session } = useSession();
  const queryKey = ['kept', session?.user.id, name];
  const { data = initial } = useQuery<State>({ queryKey, enabled: false, gcTime: Infinity });
  const set = (change: Change<State>) =>
    queries.setQueryData<State>(queryKey, (now = initial) => (isUpdate(change) ? change(now) : change));
  return [data, set];
}

type Change<State> = State | ((now: State) => State);

function isUpdate<State>(change: Change<State>): change is (now: State) => State {
  return typeof change === 'function';
}
