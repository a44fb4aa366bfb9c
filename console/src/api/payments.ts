import { useEffect, useState } from 'react';
import type { Balance, Payment } from '../../../generated/types';
import { apiRoot } from './client';
import { queries } from './session';

/**
 * Follows payments and the balance while a view about them is open. When the page wakes from sleep, queries are asked anew by
 * themselves, so that nothing is missed that happened meanwhile.
 * @returns whether the stream is open
 */
export function usePaymentEvents(): boolean {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
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
    return () => source.close();
  }, []);
  return isLive;
}
