// Generated from openapi/ by `npm run generate`. Do not edit.
import type { EventExamples } from '../src/events/outbox';

/** What the document shows as the `data` of each type of events. */
export const eventExamples: EventExamples = {
  "payment.created": {
    "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "amount_usd": 50,
    "currency": "BTC",
    "amount_crypto": 0.00055,
    "address": "bc1qexampleexampleexampleexampleexamplexxx",
    "reference": null,
    "expires_at": "2026-11-21T10:30:00.000Z"
  },
  "payment.confirming": {
    "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "amount_usd": 50,
    "currency": "BTC",
    "amount_crypto": 0.00055,
    "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
    "confirmations": 1,
    "required_confirmations": 3
  },
  "payment.confirmed": {
    "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "amount_usd": 50,
    "currency": "BTC",
    "amount_crypto": 0.00055,
    "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
    "confirmations": 3,
    "received_crypto": 0.00055,
    "received_crypto_text": "0.00055",
    "credited_usd": 50,
    "underpaid": false,
    "overpaid": false,
    "late": false,
    "previous_balance": 9.99734,
    "new_balance": 59.99734
  },
  "payment.failed": {
    "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "amount_usd": 50,
    "currency": "BTC",
    "reason": "The transaction was replaced by another one.",
    "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c"
  },
  "payment.expired": {
    "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "amount_usd": 50,
    "currency": "BTC",
    "expires_at": "2026-11-21T10:30:00.000Z"
  },
  "balance.updated": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "previous_balance": 10,
    "new_balance": 9.99734,
    "change": -0.00266,
    "reason": "charge",
    "reference_id": "0192f0c2-0a6d-7e31-8c22-590b4d7a3e02",
    "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03",
    "ledger_position": 4711,
    "metadata": {
      "route": "/v1/chat/completions",
      "method": "POST",
      "request_id": "0192f0c2-0a6d-7e31-8c22-590b4d7a3e01",
      "cause": "call"
    }
  },
  "balance.low": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "previous_balance": 10,
    "balance": 9.99734,
    "threshold": 10,
    "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03"
  },
  "balance.depleted": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "previous_balance": 0.0001,
    "balance": 0,
    "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03"
  },
  "usage.limit_exceeded": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
    "limit_type": "daily",
    "limit": 5,
    "spent": 4.9969,
    "exceeded_by": 0.0093,
    "request_route": "/v1/chat/completions",
    "request_cost": 0.0124,
    "resets_at": "2026-11-22T00:00:00.000Z"
  },
  "usage.threshold": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
    "limit_type": "monthly",
    "limit": 100,
    "spent": 80.0021,
    "threshold_percent": 80,
    "resets_at": "2026-12-01T00:00:00.000Z"
  },
  "usage.spike": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "hour_starts_at": "2026-11-21T09:00:00.000Z",
    "spent": 12.5,
    "hourly_mean": 2.5,
    "factor": 5
  },
  "anomaly.detected": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
    "kind": "many_addresses",
    "count": 11,
    "since": "2026-11-21T08:30:00.000Z"
  },
  "rate_limit.exceeded": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
    "window": "minute",
    "limit": 10,
    "retry_after": 12,
    "request_route": "/v1/chat/completions"
  },
  "key.revoked": {
    "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
    "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
    "name": "production backend",
    "key_value_preview": "svc_test_Ab3d…9xYz",
    "revoked_at": "2026-11-21T09:30:00.000Z"
  }
};
