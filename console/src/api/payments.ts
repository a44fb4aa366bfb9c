import { useEffect, useState } from 'react';
import type { Balance, Payment } from '../../../generated/types';
import { apiRoot } from './client';
import { queries } from './session';

/**
 * Follows payments and the balance while a view about them is open.
 * @returns whether the stream is open
 */
export function usePaymentEvents(): boolean {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let source = follow(setLive);
    // A connection that died while the page slept says nothing of it. Whoever connects is told everything, so nothing is missed.
    const wake = () => {
      if (document.visibilityState === 'visible') {
        source.close();
        setLive(false);
        source = follow(setLive);
        for (const queryKey of [['payment'], ['payments'], ['balance']]) {
          void queries.invalidateQueries({ queryKey });
        }
      }
    };
    addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
      source.close();
    };
  }, []);
  return isLive;
}

function follow(setLive: (isLive: boolean) => void): EventSource {
  const source = new EventSource(`${apiRoot}/api/payments/events`);
  source.addEventListener('open', () => setLive(true));
  source.addEventListener('error', () => setLive(false));
  source.addEventListener('balance', ({ data }: MessageEvent<string>) => {
    queries.setQueryData(['balance'], JSON.parse(data) as Balance);
  });
  source.addEventListener('payment', ({ data }: MessageEvent<string>) => {
    const payment = JSON.parse(data) as Payment;
    const before = queries.getQueryData<Payment>(['payment', payment.id]);
    queries.setQueryData(['payment', payment.id], payment);
    if (before?.status !== payment.status) {
      void queries.invalidateQueries({ queryKey: ['payments'] });
    }
  });
  return source;
}
