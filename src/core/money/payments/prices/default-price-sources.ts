/**
 * The price sources that come with the service, as the operator would write them. All three are exchanges that answer
 * without a key, and that trade the coins for USD themselves.
 */
export const DEFAULT_PRICE_SOURCES: unknown = [
  {
    name: 'kraken',
    url: 'https://api.kraken.com/0/public/Ticker?pair={currency}USD',
    // The last trade. Kraken answers under another name than the one it is asked by.
    pointer: '/result/{currency}USD/c/0',
    names: { BTC: 'XBT' },
    pointers: { BTC: '/result/XXBTZUSD/c/0', ETH: '/result/XETHZUSD/c/0' },
  },
  {
    name: 'coinbase',
    url: 'https://api.coinbase.com/v2/prices/{currency}-USD/spot',
    pointer: '/data/amount',
  },
  {
    name: 'bitstamp',
    url: 'https://www.bitstamp.net/api/v2/ticker/{currency}usd/',
    pointer: '/last',
    names: { BTC: 'btc', ETH: 'eth', SOL: 'sol' },
  },
];
