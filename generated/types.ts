// Generated from openapi/ by `npm run generate`. Do not edit.
export interface paths {
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an account
         * @description Register an account.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description An unknown e-mail address and a wrong password get the same answer, 401 `Invalid credentials`. From one IP address (of IPv6 its /64) an account's password may be guessed three times at once, then after 1, 2, 4, ... seconds, and ten times in 15 minutes; from all addresses from which nobody has logged into the account in the last 30 days, 100 times an hour together. Beyond that 429 tells how long to wait. 503 tells that too many passwords wait to be checked.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account that the token stands for
         * @description Get the account that the token stands for.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends every token of the account, the one used here included. Access keys stay valid.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the account token for a new one
         * @description The old token ends with this answer.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the account token
         * @description End the account token.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's access keys
         * @description The dates are those of the creation. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an access key
         * @description The answer holds the full secret. It is not shown again. An account has at most 1,000 keys.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an access key
         * @description Delete an access key.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an access key
         * @description From this answer on, no replica accepts or charges the key. What it has in flight ends before: a stream breaks off with an event that says why, and what was delivered until then is charged. The answer takes two seconds at most longer where a replica does not respond.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an access key a new secret
         * @description The id, name and spending limits stay; the old secret works for `overlap_seconds` more, and older ones to the end of their own overlap. At most five older secrets work at a time; a further overlap is refused with 409 until one of them has ended. Without overlap all older secrets end at once, which is what to ask for when one has leaked. Every call makes a new secret, also one that repeats a call whose answer was lost.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get a key's spending limits and what is spent of them
         * @description Get a key's spending limits and what is spent of them.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getKeyLimits"];
        /**
         * Set a key's spending limits
         * @description Set a key's spending limits.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        put: operations["setKeyLimits"];
        post?: never;
        /**
         * Remove all of a key's spending limits
         * @description Remove all of a key's spending limits.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteKeyLimits"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{key_id}/limits/reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a key's spent counters to zero
         * @description Set a key's spent counters to zero.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["resetKeyLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/credits/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's balance
         * @description Get the account's balance.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/credits/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add credits to an account
         * @description Add credits to an account.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        post: operations["addCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's transactions
         * @description Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/transactions/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum the account's transactions
         * @description Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getTransactionStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction's id. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get a transaction
         * @description Get a transaction.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/payments/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the currencies that credits can be bought with
         * @description `available` says whether a payment can be created right now: it takes a node that answers and sources that agree on a price.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's payments
         * @description Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Buy credits with a cryptocurrency
         * @description Locks a price and answers with where to pay what until when. What arrives is credited, once, when it has the required
         *     confirmations:
         *
         *     - within 0.5 % of the amount: `amount_usd`;
         *     - less, also in several parts: when the payment expires, what arrived, at the locked price (`underpaid`); below 1 USD
         *       nothing;
         *     - more: at the locked price up to 110 %, what is beyond at the locked or the present price, whichever is lower
         *       (`overpaid`);
         *     - first seen after `expires_at`, for 7 days, or in a block only two hours after it: at the locked or the present price, whichever is lower (`late`);
         *     - after the payment was confirmed: as further credit.
         *
         *     At least 10 USD with BTC and ETH and 2 USD with SOL, at most 10,000 USD (422). An account has at most 5 payments that
         *     are neither confirmed, failed nor expired, and at most 50 a day that nothing came for (409). Where no price can be had or the chain's node does not answer it is
         *     503, and `GET /api/payments/payments/methods` says so.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        /**
         * Get a payment
         * @description Get a payment.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/payments/{payment_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at the chain now
         * @description Does for one payment at once what happens to all of them every few seconds: it looks at the chain, and credits what has arrived and has its confirmations. It never credits what is not on the chain. In the sandbox it plays the chain: the amount arrives with all its confirmations.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["confirmPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/payments/{payment_id}/qr.svg": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        /**
         * Get a payment's URI as a QR code
         * @description Get a payment's URI as a QR code.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getPaymentQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the prices in force
         * @description Get the prices in force.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getPricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's rate limits
         * @description All keys and tokens of the account count together. A call must fit the limits of the account as a whole and those of its own category.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getAccountLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/upgrade-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the operator for another tier
         * @description Refused while an earlier request is pending (409), and for the tier that the account has (422).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createUpgradeRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's usage
         * @description The period is the last 30 days unless dates are given; one that would end before it starts is refused (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's usage in short
         * @description Get the account's usage in short.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break the account's costs down
         * @description The period is the last 30 days unless dates are given; one that would end before it starts is refused (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring/keys/{key_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get the usage of an access key
         * @description The period is the last 30 days unless dates are given; one that would end before it starts is refused (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id, from the header X-Request-Id of its answer. An X-Request-Id that the caller sent itself is found too; of several calls with the same one, the newest. */
                request_id: string;
            };
            cookie?: never;
        };
        /**
         * Get the receipt of a call
         * @description Every call with an access key has one within a second of its answer, unless it was refused for its rate (429) or its credential (401). Calls with an account token have none.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getRequestReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the hub answers
         * @description Ask whether the hub answers.
         *
         *     **Price:** free
         *     **Rate:** Health checks, no limit
         */
        get: operations["getHubHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a memory
         * @description A memory of the same namespace and key is replaced and keeps its id.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the memories that meet a filter
         * @description List the memories that meet a filter.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        post: operations["queryMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the memories by their text
         * @description Search the memories by their text.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        post: operations["searchMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the memories
         * @description Count the memories.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getMemoryStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store several memories
         * @description Either all of them are stored or none. A batch costs one memory operation.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createMemoryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/memory/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The memory's id. */
                memory_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a memory
         * @description Get a memory.
         *
         *     **Price:** Memory operations, 0.0001 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's agents
         * @description The dates are those of the creation. Refused when the period would end before it starts (422). Agents have no states, so there is no `status` to choose them by.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description An account has at most 1,000 agents.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/agents/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a text with an agent
         * @description Reserves the worst case of all steps, then charges the tokens that they really used. For an agent with tools the worst
         *     case is five times the input, `max_tokens` for each of five steps, and for every later step what the earlier ones may
         *     have added. It is usually many times what is charged; a smaller `max_tokens` lowers it.
         *
         *     An agent with tools may call the model up to five times; the last call gets no tools, so that it answers. Fields of
         *     the request win over the agent's. Without `agent_id` the model answers by itself, without `model` the default one.
         *
         *     **Price:** Chat completion, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateWithAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/agents/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat with an agent
         * @description Reserves the worst case of all steps, then charges the tokens that they really used. For an agent with tools the worst
         *     case is five times the input, `max_tokens` for each of five steps, and for every later step what the earlier ones may
         *     have added. It is usually many times what is charged; a smaller `max_tokens` lowers it.
         *
         *     An agent with tools may call the model up to five times; the last call gets no tools, so that it answers. Fields of
         *     the request win over the agent's; the agent's system prompt comes before the messages. Without `agent_id` the model
         *     answers by itself, without `model` the default one.
         *
         *     With `stream: true` the answer arrives as server-sent events, chunks of a chat completion with one id. What is said
         *     beside tool calls is sent too; the calls and their results are not. The last chunk has the usage of all steps and its
         *     `cost` (USD); a comment with cost, tokens and balance and `[DONE]` follow. An answer that breaks off ends with
         *     an event `{"error": …}` instead of `[DONE]`; what was produced until then is charged, also when the caller goes away.
         *
         *     **Price:** Chat completion, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["chatWithAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's id. */
                agent_id: string;
            };
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Get an agent.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getAgent"];
        /**
         * Change an agent
         * @description Each given field replaces the agent's as a whole; the others stay as they are.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        put: operations["updateAgent"];
        post?: never;
        /**
         * Delete an agent
         * @description Memories of its namespace stay.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index a document
         * @description The content is cut into chunks by its sentences and headings, and each chunk is found by its words. Where the operator has a
         *     model that embeds, the chunks are found by their meaning too. No field of the answer needs an upstream. The tokens of the
         *     content are charged.
         *
         *     Without `document_id` the same content of the same collection is stored once: a further call answers with the document that is
         *     there, `deduplicated: true`, and costs its base price alone; its metadata stay as they are. With `document_id` the document of that id is replaced as a whole,
         *     whatever other documents hold; the id of a document that was uploaded to `/api/documents` is refused (409).
         *     An account has at most 50,000 documents and 500,000 chunks.
         *
         *     **Price:** Indexing, 0.0005 USD a call and 0.000001 USD a token of the input; `GET /api/pricing` tells what is in force here
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["indexRagDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/retrieve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the chunks that answer a query
         * @description Chunks are ranked by their words (BM25). Where the operator has a model that embeds, this ranking is fused with that by
         *     meaning, and `metadata.engine.method` says so. The embedded engine fills every field; an upstream only changes which chunks
         *     are found and what their `score` says.
         *
         *     **Price:** Retrieval, 0.0002 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        post: operations["retrieveRagChunks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the indexed documents
         * @description Retrieves as `POST /api/hub/rag/retrieve` does and answers from what was found. The embedded engine answers with the sentences
         *     that fit best, word for word; a model of an upstream writes the answer. `[n]` in the answer refers to the citation of that
         *     index, whose `quote` is exactly the text from `start` to `end` of its document. Where the documents do not answer the
         *     question, `found` is false and there are no citations. The embedded engine fills every field; no field needs an upstream.
         *
         *     With `stream: true` the answer arrives as server-sent events: `start` with what was retrieved, `delta` with each piece of the
         *     answer, `done` with the whole answer and its cost, then a comment with cost, tokens and balance, and `[DONE]`. An answer that
         *     breaks off ends with an event `{"error": …}` instead; what was produced until then is charged.
         *
         *     **Price:** RAG generation, 0.0030 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateWithRag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the indexed documents
         * @description No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getRagStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's indexed documents
         * @description The dates are those of the creation. The entries come without the content. No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listRagDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/rag/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                document_id: string;
            };
            cookie?: never;
        };
        /**
         * Get an indexed document
         * @description No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getRagDocument"];
        put?: never;
        post?: never;
        /**
         * Delete an indexed document
         * @description What was uploaded to `/api/documents` and processed is indexed too, under the id of its document. Such an entry is not deleted
         *     here (409) but with its document: otherwise the document would be `ready` and never found.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteRagDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/search/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index items to search
         * @description An item replaces the one with the same id. Either all items are stored or none. The tokens of titles and contents are charged.
         *     An account has at most 100,000 items. No field of the answer needs an upstream.
         *
         *     **Price:** Indexing, 0.0005 USD a call and 0.000001 USD a token of the input; `GET /api/pricing` tells what is in force here
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["indexSearchItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the indexed items
         * @description An item with any of the words is found, and the words of its title weigh more. Words in quotation marks have to stand in its
         *     title or its content together and in that order; words beside a phrase then only rank. An item with a `-word` or a
         *     `-"phrase"` is left out. Words are found in all their forms in English texts and as they are in all others, without regard
         *     to case and accents.
         *
         *     Every text is a query. A quotation mark opens a phrase where a word could begin, and is passed over where none follows
         *     that closes it; typographic ones do as well. A dash excludes only if it stands alone directly before a word or phrase. A
         *     query of nothing but English stop words, punctuation and what is to be left out finds nothing. Within a phrase an English
         *     stop word stands for any word of an English text, and at the phrase's ends for none. Phrases are looked for among the first
         *     16,383 words and the first 256 places of each word.
         *
         *     Where nothing is found, up to 16 words that none of the account's items has are replaced by the closest of the first 300
         *     words of its items, if one is close enough, and `corrected_query` says what was searched instead. What is to be left out is
         *     never corrected.
         *
         *     Of more than 1,000 matching items, the best by a quick ranking are ranked and can be paged through; with another `sort`,
         *     the first by it. The quick ranking looks at some thousands of items: those with the query's rarest words first.
         *
         *     The embedded engine fills every field, and no upstream is asked.
         *
         *     **Price:** Retrieval, 0.0002 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/search/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        /**
         * Get an item
         * @description No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getSearchItem"];
        put?: never;
        post?: never;
        /**
         * Delete an item
         * @description Delete an item.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteSearchItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's tasks
         * @description The dates are those of the submission. The entries come without parameters and result.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Submit a task
         * @description A task runs an operation in the background. `task_type` is the operation's id, `parameters` are its body, judged now by the
         *     form that its document gives it: what that refuses is refused here (422) with the same `details`. What only the run can
         *     find out, such as an agent that does not exist, fails the task. `stream` in the parameters is ignored. The submission costs
         *     its price, also should the task be cancelled.
         *
         *     The run is reserved and charged as its operation when it runs, under the access key that submitted it; where that key is
         *     revoked or has no credit by then, the task has failed with that error, and the run costs nothing. Where the key's calls are
         *     beyond their rate, the task waits.
         *
         *     A task whose worker dies is tried again, three attempts in all, and is charged once. Tasks of one account run in the order of
         *     their priority, then of their submission, up to 8 at once; accounts take turns. An account has at most 10,000 tasks that are
         *     not finished. What became of a task is kept for 30 days.
         *
         *     **Price:** Task submission, 0.0005 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["submitTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a task
         * @description Get a task.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task
         * @description A task that waits is cancelled at once and never runs; the price of its submission is not given back. One that runs is told
         *     to stop: the answer may still say `running`, the task may still succeed, and what an upstream has done for it until then is
         *     charged. A task that has ended is refused (409).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/story/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a story
         * @description A model of an upstream writes the story (`kind: prose`, no acts). The embedded engine makes a labelled outline of acts and
         *     beats from the prompt and the names given (`kind: outline`), and writes no prose; an account's story is an outline too where
         *     `allow_degraded` lets the engine answer for an upstream that failed. The story is stored; an account has at most 10,000. A
         *     call that is answered with 504 may have stored its story all the same, free of charge.
         *
         *     With `stream: true` it arrives as server-sent events: `delta` with each piece of the text, `done` with the stored story and
         *     its cost, then a comment with cost, tokens and balance, and `[DONE]`. A story that breaks off ends with an event
         *     `{"error": …}` instead and is not stored; what was produced until then is charged.
         *
         *     **Price:** Story generation, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateStory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/story": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's stories
         * @description The dates are those of the creation.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listStories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/story/{story_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The story's id. */
                story_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a story
         * @description Get a story.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getStory"];
        put?: never;
        post?: never;
        /**
         * Delete a story
         * @description Delete a story.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteStory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/system/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service is and offers
         * @description Which groups of operations there are, what answers them, and which engines there are. Addresses and keys of
         *     upstreams are not told. No field needs an upstream; with upstreams there are more `engines`.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getSystemInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/system/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the service is doing
         * @description Uptime and latencies are those of the replica that answers, the queue is that of the whole service. No other
         *     account's tasks are told apart. No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getSystemMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/system/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the answering replica has
         * @description Processors, memory and how busy the event loop is. No field needs an upstream.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getSystemResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a conversation
         * @description Reserves the input and the largest allowed output, then charges what was really used.
         *
         *     With `stream: true` the answer arrives as server-sent events, as the model's provider sends them. Two things are
         *     added: `cost` (USD) in the `usage` of the last chunk, which only clients see that ask for
         *     `stream_options.include_usage`, and before `[DONE]` a comment with cost, tokens and balance. An answer that breaks
         *     off ends with an event `{"error": …}` instead of `[DONE]`; what was delivered is charged. A caller that goes
         *     away during a stream pays for the input and for what was produced until then.
         *
         *     **Price:** Chat completion, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a text
         * @description Reserves the input and the largest allowed output, then charges what was really used.
         *
         *     With `stream: true` the answer arrives as server-sent events, as the model's provider sends them. Two things are
         *     added: `cost` (USD) in the `usage` of the last chunk, which only clients see that ask for
         *     `stream_options.include_usage`, and before `[DONE]` a comment with cost, tokens and balance. An answer that breaks
         *     off ends with an event `{"error": …}` instead of `[DONE]`; what was delivered is charged. A caller that goes
         *     away during a stream pays for the input and for what was produced until then.
         *
         *     **Price:** Chat completion, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer with a response
         * @description Reserves the input and the largest allowed output, then charges what was really used.
         *
         *     A provider that knows responses gets the request as it is, and its answer is passed on. For any other the request
         *     becomes a chat: `instructions`, messages of text, images and files, function tools, their calls and outputs,
         *     `text.format` and `reasoning.effort` are translated; earlier reasoning and `include` are left out, and what a chat
         *     has no counterpart for, such as built-in tools and references to stored items, is refused with 400.
         *
         *     Nothing is stored: the response says `store: false`, can't be fetched later, and `previous_response_id`,
         *     `conversation` and `background` are refused.
         *
         *     With `stream: true` the answer arrives as server-sent events. Two things are added: `cost` (USD) in the `usage` of
         *     the last event, and before that event a comment with cost, tokens and balance. An answer that breaks off ends with
         *     an event `error` instead; what was delivered is charged.
         *
         *     **Price:** Chat completion, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn texts into vectors
         * @description Turn texts into vectors.
         *
         *     **Price:** Embeddings, 0.0001 USD a call and 0.000001 USD a token of the input; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that can be called
         * @description List the models that can be called.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id. */
                model: string;
            };
            cookie?: never;
        };
        /**
         * Describe a model
         * @description Describe a model.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document
         * @description Stores a file of at most 25 MiB: txt, md, html, csv, json, pdf, docx, png, jpeg or webp. The format is recognised by the
         *     bytes; a name or a `metadata.type` that says another is refused (422). The same file again gives the document that is
         *     there already, as it is, and says so in `deduplicated`. Nothing is read from the file yet: process it for that.
         *
         *     Pictures and scanned PDFs are stored and can be downloaded, but processing them is refused (503) and finds nothing in them.
         *     Who wants the text of a picture sends it to `processInputs` with the task `ocr`, which asks a model that sees.
         *
         *     **Price:** Document upload, 0.0010 USD a call; `GET /api/pricing` tells what is in force here
         *     **Rate:** Heavy processing, 0.1 × the rates of the account's tier
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's documents
         * @description The dates are those of the upload.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{doc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a document's record
         * @description Its file is at `/content`.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description Deletes its file, its text, and what was indexed of it. A document that is being processed is processed no further.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{doc_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a document's file
         * @description The bytes as they were uploaded, as an attachment. One range of bytes can be asked for (RFC 9110, section 14); several
         *     at once are answered with the whole file. The entity tag is the file's checksum.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getDocumentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{doc_id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a document
         * @description Reads the text and the tables of the file, for whose tokens it is paid. What follows happens in the background: the text is
         *     cut into chunks and indexed, so that `retrieveRagChunks` finds it in the collection `documents` under the document's id. Ask for
         *     the record until its `status` is `ready` or `failed`.
         *
         *     A file that is broken, encrypted, too complex or without text is refused (422), free of charge, and its document is
         *     `failed`. Pictures and scans need a model that reads them, which
         *     is not asked here (503); `processInputs` asks one of pictures. A document that is processed or ready is not processed
         *     again (409). Where the background failed, processing it again costs the base price alone: its text was paid for.
         *
         *     **Price:** Document processing, 0.0020 USD a call and 0.00001 USD a token of the input; `GET /api/pricing` tells what is in force here
         *     **Rate:** Heavy processing, 0.1 × the rates of the account's tier
         */
        post: operations["processDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{doc_id}/extract": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract facts from a document
         * @description Finds what stands in the text of a document that is ready. `what` is found by rules, without a model: `entities`, `tables`,
         *     `key_values` (lines such as `Name: value`), `dates` or `amounts`; of each kind at most 1,000, of the rows of all tables
         *     10,000. With a `schema` of your own a model of an upstream fills it in as `value`; without an upstream that is 503.
         *
         *     A `schema` is a JSON Schema of an object, of at most 16 KiB of JSON and 16 levels. It may have the usual keywords, and
         *     `$ref` to its own `$defs`; `pattern`, `patternProperties`, `uniqueItems`, `$id` and references to elsewhere are refused.
         *
         *     **Price:** Document extraction, 0.0020 USD a call and 0.00001 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["extractDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/advanced/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a text in one of several ways
         * @description What can be done stands at `processing_type`. Where a model of an upstream answers, the fields are the same; quotes and
         *     keywords of it that are not in the text are an error (502), uncharged.
         *
         *     **Price:** Advanced processing, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["processAdvanced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/advanced/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Analyze a text
         * @description Summary, key points, keywords and tone come from a model of an upstream, or from the embedded engine; everything else is found
         *     by rules.
         *
         *     **Price:** Advanced processing, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["analyzeAdvanced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/advanced/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a text, or fill a template
         * @description With `prompt` a model of an upstream writes; without one the answer is 503 `Model upstream not configured`, uncharged. With
         *     `template` the service fills in the caller's own words, exactly, and asks no model.
         *
         *     **Price:** Advanced processing, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateAdvanced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/advanced/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a text shorter and clearer
         * @description The embedded engine makes only changes that leave the meaning as it is. A model of an upstream names changes, which the service
         *     makes itself; one whose `before` is not in the text is an error (502), uncharged.
         *
         *     **Price:** Advanced processing, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["optimizeAdvanced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the multi-modal operations answer
         * @description Ask whether the multi-modal operations answer.
         *
         *     **Price:** free
         *     **Rate:** Health checks, no limit
         */
        get: operations["getOmmHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Work on texts, images and documents
         * @description One task for up to ten inputs, with a result for each. A model of an upstream sees the texts of documents and the pictures
         *     themselves; what it quotes has to stand in the text, or the call is an error (502), uncharged. Without an upstream texts and
         *     documents are summarized by their most central sentences, and their entities, keywords and words are found by rules. What only
         *     a model can do is refused then (503): to describe, to classify, anything with a picture. Nothing here hears: `transcribe` is
         *     always refused (422). `keywords` of texts are always found by rules, and so is the text of a document for `ocr`.
         *
         *     **Price:** OMM processing, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["processInputs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measure texts, images and documents
         * @description Found by rules alone, the same with and without an upstream: the language, the measures and the entities of texts; the size, the
         *     colours and the sharpness of pictures; the pages, the title and the tables of documents.
         *
         *     **Price:** OMM processing, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** Heavy processing, 0.1 × the rates of the account's tier
         */
        post: operations["analyzeInputs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a text from a prompt and inputs
         * @description The prompt is a template: its places take the values of `variables` and the texts of inputs. A model of an upstream writes what
         *     the filled prompt asks for, and sees the pictures among the inputs. The embedded engine writes nothing of its own: it fills the
         *     prompt and answers with that. Where the prompt has no place to fill, or an input has none in it, only a model can answer (503).
         *
         *     **Price:** OMM processing, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateFromInputs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/transform": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an input into another form
         * @description Texts, Markdown, HTML, CSV, JSON, DOCX and PDF become text, Markdown, HTML, DOCX or PDF; pictures are turned upright, cropped,
         *     resized and written as PNG, JPEG or WebP, without their metadata. Found by rules alone. Charged are the tokens of the text that
         *     is read; the same text in its other form is not counted again, and a picture has none. What no model would
         *     make either is refused (422): a picture of a text, the text of a picture or a scan (`process` with the task `ocr` has a model
         *     read pictures), sound, a Word document of a picture.
         *
         *     **Price:** OMM processing, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** Heavy processing, 0.1 × the rates of the account's tier
         */
        post: operations["transformInput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run several multi-modal operations
         * @description Up to twenty items, three at once. Each is a call of its own with its own price, reservation and receipt: one that fails is
         *     charged nothing and harms no other, and one that can't be paid any more is refused by itself (402). The batch itself costs
         *     nothing; its `cost` is the sum of its items. It counts as one call of the class heavy, whatever its items are.
         *
         *     With an `Idempotency-Key` no item runs twice: a retry of a batch that was answered gets that answer, and one of a batch that
         *     broke off goes on with the items that were not done. The items have 100 seconds together; what is not done by then is
         *     refused (504). Their answers have at most 16 MiB together; an item whose answer has no room is refused (422), uncharged.
         *
         *     **Price:** free
         *     **Rate:** Heavy processing, 0.1 × the rates of the account's tier
         */
        post: operations["runOmmBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/omm/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what can be done, and by which models
         * @description For each operation, task and kind of input, what answers it now and whether that is there. Whether an upstream sees pictures
         *     is not known beforehand: a model that doesn't is an error of that call, uncharged.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listOmmModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/legal/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarize a legal text
         * @description A model of an upstream writes the summary and names the sentences it rests on; a sentence that is not in the text is an
         *     error (502), uncharged. The embedded engine quotes the text's most central sentences and writes nothing of its own.
         *
         *     **Price:** Legal analysis, 0.0050 USD a call and 0.00003 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["summarizeLegal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/legal/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Analyze a legal text
         * @description Tells what kind of document a text is, who its parties are, which clauses it has, which of them are a risk, and which are
         *     usual and missing. A model of an upstream quotes the text for all that it tells; a quote that is not in the text is an
         *     error (502), uncharged.
         *     The embedded engine reads English contracts by rules; for a text in another language it answers 503, uncharged.
         *
         *     **Price:** Legal analysis, 0.0050 USD a call and 0.00003 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["analyzeLegal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/legal/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract the facts of a legal text
         * @description Finds who has to do what, by when and for how much, and what the terms mean. A model of an upstream quotes the text for all
         *     that it tells; a quote that is not in the text is an error (502), uncharged.
         *     The embedded engine reads English contracts by rules; for a text in another language it answers 503, uncharged.
         *
         *     **Price:** Legal analysis, 0.0050 USD a call and 0.00003 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["extractLegal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/legal/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare two legal texts
         * @description The changes are found sentence by sentence, in every language, whoever writes the summary. White space doesn't count, and a
         *     sentence that moved is removed in one place and added in another. A model of an upstream names the sentences that its
         *     summary rests on; one that is in neither text is an error (502), uncharged. The embedded engine's summary counts the changes.
         *
         *     **Price:** Legal analysis, 0.0050 USD a call and 0.00003 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["compareLegal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/professional/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Analyze a professional text
         * @description Readability and structure are always measured; tone and issues a model of an upstream tells, where there is one, and quotes the
         *     words that it finds fault with; a quote that is not in the text is an error (502), uncharged. The embedded engine finds
         *     them by rules, of which those for tone and wording are for English.
         *
         *     **Price:** Professional services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["analyzeProfessional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/professional/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a professional document
         * @description A model of an upstream writes the document. The embedded engine writes nothing of its own: it puts the sentences of the brief,
         *     word for word, in the sections that such a document has, and marks in square brackets what remains to be filled in.
         *
         *     **Price:** Professional services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateProfessional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/professional/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Optimize a professional text
         * @description The text that comes back is the one given with the listed changes made, and nothing else. A model of an upstream proposes changes
         *     and quotes what they replace; a quote that is not in the text is an error (502), uncharged. The embedded engine makes those
         *     changes that never change the meaning: wordy phrases, repeated words and sentences, spacing. It reads English; for a text in
         *     another language it answers 503, uncharged.
         *
         *     **Price:** Professional services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["optimizeProfessional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scholar/research": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the account's own documents
         * @description Searches what the account has indexed, its processed documents too, as `POST /api/hub/rag/retrieve` does. A model of an
         *     upstream writes findings with `[n]` behind what they rest on; a finding that cites nothing, a number that stands for no source
         *     and a quote that is not in its source are errors (502), uncharged. The embedded engine gives the sentences that answer the
         *     question, word for word, three at most. `[n]` is the entry of the bibliography with that `index`, a document.
         *
         *     Where the documents do not answer the question, `found` is false and there are no findings. Where nothing was found to
         *     read, no model is asked and the base price alone is charged.
         *
         *     **Price:** Scholar services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["researchScholar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scholar/cite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write references in a citation style
         * @description By rule; no model is asked. `apa` is the 7th edition, `mla` the 9th, `chicago` the author-date system of the 17th; `bibtex` and
         *     `ris` are entries of files in UTF-8. Titles keep the case of their letters. A DOI or ISBN that has not the form of one, and an
         *     ISBN with a wrong check digit, are refused (422).
         *
         *     **Price:** Scholar services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        post: operations["citeScholar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scholar/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarize a paper
         * @description Gives the abstract that the paper has, a summary, and the sentences that matter by section. A model of an upstream writes the
         *     summary and names the sentences it rests on; a sentence that is not in the text is an error (502), uncharged. The embedded
         *     engine quotes the most central sentences of the paper, apart from its abstract and references.
         *
         *     **Price:** Scholar services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["summarizeScholar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scholar/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what a paper consists of
         * @description Gives the sections of a paper, its references, where the text cites them, and the statistics that it reports, with their places.
         *     A model of an upstream names sections and reads references; those that are not in the text are errors (502), uncharged. Citations
         *     and statistics are found by rule, whoever answers. The embedded engine finds everything by rule.
         *
         *     **Price:** Scholar services, 0.0040 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["analyzeScholar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/creative/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a creative text
         * @description A model of an upstream writes the text (`kind: text`, no parts); a haiku that has not three lines, a limerick that has not
         *     five or a sonnet that has not fourteen is an error (502), uncharged. The embedded engine writes no prose and no verse: it
         *     makes a scaffold (`kind: scaffold`), which says what belongs into each place of the form, with the prompt's own words as
         *     material.
         *
         *     **Price:** Creative services, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateCreative"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/creative/enhance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suggest how a draft becomes better
         * @description Each suggestion names a place of the text and what could stand there; `after` is null where only its author can decide.
         *     Suggestions are in the order of the text and do not overlap, so that all of them can be applied, from the last to the first. A
         *     model of an upstream quotes the places, which are found again in the text; a quote that is not there is an error (502),
         *     uncharged. The embedded engine finds faults of style by rule: wordy phrases, worn phrases, repeated words and sentences, long
         *     sentences and, in English, the passive voice, vague words and adverbs.
         *
         *     **Price:** Creative services, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["enhanceCreative"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/creative/brainstorm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find ideas on a topic
         * @description A model of an upstream gives ideas (`kind: ideas`), each by one technique of SCAMPER; fewer than asked for, or the same twice,
         *     is an error (502), uncharged. The embedded engine has no ideas: it asks questions that lead to some (`kind: prompts`), with
         *     the techniques in turn and the keywords of the topic. The same topic always gets the same questions.
         *
         *     **Price:** Creative services, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["brainstormCreative"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a page of documentation
         * @description Some pages are made by rule, whichever model is asked for, because every fact in them is the source's: the reference of an API
         *     (`kind: api`) from its OpenAPI 3 document in JSON, and a `changelog` from commits of which one among the first 8,000
         *     characters says by its type of Conventional Commits or its first word what it is.
         *
         *     A readme, a guide and what else has no such source is written by a model of an upstream, which marks what it does not
         *     know as `[To fill in: …]`. Without one, readme and guide are skeletons (`state: skeleton`): sentences of the brief or the source,
         *     or facts of a package.json, where they belong, and marked places. For an API without its document, a changelog without
         *     commits, and any page from source code alone, the answer is 503 then.
         *
         *     **Price:** Product docs, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["generateDocs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/improve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what is wrong with a page of documentation
         * @description `lint` has the faults of the page as Markdown, found by rule also where a model answers: headings that skip a level, links to
         *     anchors that are not there, images without words, and so on. The suggestions are a model's, which quotes the places, or those of
         *     the rules of style; a quote that is not in the page is an error (502), uncharged. Suggestions with an `after` do not
         *     overlap, so that all of them can be applied, from the last to the first.
         *
         *     **Price:** Product docs, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["improveDocs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/structure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a page's structure
         * @description The headings of a text as a tree, with anchors as GitHub makes them (a repeated one gets `-1`, `-2`), a table of contents, and
         *     numbered headings that leave a number out or name one twice. Headings are those of Markdown, numbered ones (`2.1 Scope`,
         *     `Article IV`), and short lines in capitals. A rule answers better here than a model, so none is asked.
         *
         *     **Price:** Product docs, 0.0030 USD a call and 0.00002 USD a token of input and output; `GET /api/pricing` tells what is in force here
         *     **Rate:** LLM generation, 0.2 × the rates of the account's tier
         */
        post: operations["structureDocs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's webhooks
         * @description The dates are those of the creation. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The answer holds the secret that signs what is sent. It is not shown again. An account has at most 20 webhooks. What is sent, and how to verify it, stands under the webhooks of this document.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Get a webhook.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getWebhook"];
        /**
         * Change a webhook, or switch it on or off
         * @description A new URL counts for deliveries that wait as well.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Its deliveries are deleted with it, also those that wait.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description Deliveries are signed with the new secret from now on, and for `overlap_seconds` more with the old one too. While an overlap runs a further one is refused with 409; without overlap the old secret ends at once.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook
         * @description The dates are those of the creation. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
                /** @description The delivery's id. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery to a webhook
         * @description Get a delivery to a webhook.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Sends the example of this type from this document, marked with `data.test: true`, whether or not the webhook subscribes to the type. One attempt is made. A webhook that is switched off is refused (409). The delivery's record then tells how the attempt went.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed deliveries since a time
         * @description As if each of them were retried by itself: for a receiver that was away. At most 10,000 a call, the oldest failures first; call again for the rest. A webhook that is switched off is refused (409).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery's id. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed delivery
         * @description An attempt more, made now. Those that are still to come keep their times, and an abandoned delivery stays abandoned when this one fails. Refused (409) for a delivery that has not failed and for a webhook that is switched off. Where an attempt is under way already, no other is added.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts
         * @description The dates are those of the registration. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account's id. */
                user_id: string;
            };
            cookie?: never;
        };
        /**
         * Get an account
         * @description The account with its balance, its keys, the rates in force and what waits for a decision.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["getUser"];
        /**
         * Set an account's tier, own limits or access
         * @description In force on every replica with the next call. Disabling an account ends all of its tokens; they stay ended when it is enabled again. Only an enterprise account can have limits of its own; nobody can disable themselves (422).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        put: operations["updateUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare every balance with its transactions
         * @description Compare every balance with its transactions.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["getReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of all accounts
         * @description With `needs_review=true` those that a person has to look at, for the reason that each gives: a credited transfer that
         *     is no longer on the chain, coins for which no price could be had, an address that was emptied too early. The service
         *     never takes a credit back by itself. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listAllPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        /**
         * Get a payment of any account
         * @description Get a payment of any account.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["getAnyPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/payments/{payment_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the review of a payment
         * @description Notes what a person decided, and changes the account's balance by `adjust_usd` in the same step. A debit beyond what the account has available is refused (422), so is an adjustment that is finer than 0.000000001 USD. A payment that needs no review is refused (409), and so is one that has changed since it had the `expected_version`, be it that the service has credited it meanwhile or that there is another reason to look at it: read it again, and decide by what it has become. Of several decisions at once one is taken. A retry with the same Idempotency-Key finds the decision of the first try, also where that one died before it could answer.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        post: operations["resolvePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether events reach their receivers
         * @description See whether events reach their receivers.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["getWebhooksHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of all accounts
         * @description Without their secrets. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listAllWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhook_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a webhook on again
         * @description For webhooks that the service switched off. One that is on, or that its owner switched off, is refused (409). Events of the meantime are not made up for.
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/abandoned-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries that were given up
         * @description Of all accounts, by when they were abandoned. An owner may still retry one. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listAbandonedDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/upgrade-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests for another tier
         * @description Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listUpgradeRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/upgrade-requests/{upgrade_request_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upgrade request's id. */
                upgrade_request_id: components["parameters"]["UpgradeRequestId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a request for another tier
         * @description Sets the tier in the same step; it is in force with the next call. Own limits may be set where the tier is enterprise (422 where it is not). A request that is decided already is refused (409).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        post: operations["approveUpgradeRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/upgrade-requests/{upgrade_request_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The upgrade request's id. */
                upgrade_request_id: components["parameters"]["UpgradeRequestId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a request for another tier
         * @description The account keeps its tier. A request that is decided already is refused (409).
         *
         *     **Price:** free
         *     **Rate:** Write operations, 0.5 × the rates of the account's tier
         *     **Role:** admin
         */
        post: operations["rejectUpgradeRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id, from the header X-Request-Id of its answer. An X-Request-Id that the caller sent itself is found too; of several calls of an account with the same one, the newest. */
                request_id: string;
            };
            cookie?: never;
        };
        /**
         * Get the whole story of a call
         * @description Who made the call with which key, what was reserved and charged, how it ended, and the transactions that it made. Calls that have no receipt (see `GET /api/monitoring/requests/{request_id}`) are not found. Callers choose their own ids freely: where several accounts have sent the same one, none of their calls is told (409) until `user_id` names the account.
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what admins did
         * @description Every change that an admin made by this API, written in the same step as the change and never altered: who, what, to whom, when, and how it was before and after. Refused when the period would end before it starts (422).
         *
         *     **Price:** free
         *     **Rate:** Read operations, 1 × the rates of the account's tier
         *     **Role:** admin
         */
        get: operations["listAdminActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process lives
         * @description Ask whether the process lives.
         *
         *     **Price:** free
         *     **Rate:** Health checks, no limit
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process can serve
         * @description Ask whether the process can serve.
         *
         *     **Price:** free
         *     **Rate:** Health checks, no limit
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was created */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "payment.created",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "amount_crypto": 0.00055,
                     *         "address": "bc1qexampleexampleexampleexampleexamplexxx",
                     *         "reference": null,
                     *         "expires_at": "2026-11-21T10:30:00.000Z"
                     *       },
                     *       "signature": "sha256=f39c55e5eb331549f2e4a357cbccba427b759f8de9c3df0b6b4f88d815de9171"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentCreatedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.confirming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was seen on the blockchain
         * @description Sent with the first confirmation.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "payment.confirming",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "amount_crypto": 0.00055,
                     *         "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *         "confirmations": 1,
                     *         "required_confirmations": 3
                     *       },
                     *       "signature": "sha256=fb44d2b9e7842d13c891c715033a6f72d1b4cac3648b120997ea931f9248f3fa"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentConfirmingEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was confirmed and its credits were added */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "payment.confirmed",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "amount_crypto": 0.00055,
                     *         "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *         "confirmations": 3,
                     *         "previous_balance": 9.99734,
                     *         "new_balance": 59.99734
                     *       },
                     *       "signature": "sha256=9aa1766e3937d8e456aff113802a52199792cdfd40dd0810daebbd39c176a770"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentConfirmedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "payment.failed",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "reason": "The transaction was replaced by another one.",
                     *         "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c"
                     *       },
                     *       "signature": "sha256=ec82da2aec328aafa125ab6e4e5692917e1b94bc8a285f71c963ab2504a449c8"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentFailedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment expired before it was paid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "payment.expired",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "expires_at": "2026-11-21T10:30:00.000Z"
                     *       },
                     *       "signature": "sha256=6c9463df1198d01cdcca3f206794db5b4df6130a5f0c17d174f1bafcb35f48ca"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentExpiredEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credits were added or deducted */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.updated",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "previous_balance": 10,
                     *         "new_balance": 9.99734,
                     *         "change": -0.00266,
                     *         "reason": "charge",
                     *         "reference_id": "0192f0c2-0a6d-7e31-8c22-590b4d7a3e02",
                     *         "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03",
                     *         "ledger_position": 4711,
                     *         "metadata": {
                     *           "route": "/v1/chat/completions",
                     *           "method": "POST"
                     *         }
                     *       },
                     *       "signature": "sha256=b5605bd009c5973fe5e22b62c076d38873c8270b0dbe46d2e9381f7a82753cf1"
                     *     }
                     */
                    "application/json": components["schemas"]["BalanceUpdatedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The balance fell below 10 USD
         * @description Sent each time that a change takes the balance from 10 USD or more to less.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.low",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "previous_balance": 10,
                     *         "balance": 9.99734,
                     *         "threshold": 10,
                     *         "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03"
                     *       },
                     *       "signature": "sha256=37c7f8146c72423c0084c53eda8070889191a136dde86476f240e0b2dde4ea99"
                     *     }
                     */
                    "application/json": components["schemas"]["BalanceLowEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.depleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The balance reached 0 */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.depleted",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "previous_balance": 0.0001,
                     *         "balance": 0,
                     *         "transaction_id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03"
                     *       },
                     *       "signature": "sha256=ca3f08845440dd331b68891f3796914b58e9ce3e452dc89a4f8e3a476cf780e8"
                     *     }
                     */
                    "application/json": components["schemas"]["BalanceDepletedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.limit_exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call would have passed a key's limit
         * @description The call was refused. Sent once for each key, limit and day or month.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "usage.limit_exceeded",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "limit_type": "daily",
                     *         "limit": 5,
                     *         "spent": 4.9969,
                     *         "exceeded_by": 0.0093,
                     *         "request_route": "/v1/chat/completions",
                     *         "request_cost": 0.0124,
                     *         "resets_at": "2026-11-22T00:00:00.000Z"
                     *       },
                     *       "signature": "sha256=50a56b09dae8af9051bd0b47851de3569990ed269bf306dcd651bea74ce3e024"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageLimitExceededEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.threshold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A key has spent 80 % of a limit
         * @description Sent once for each key, limit and day or month.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "usage.threshold",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "limit_type": "monthly",
                     *         "limit": 100,
                     *         "spent": 80.0021,
                     *         "threshold_percent": 80,
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       },
                     *       "signature": "sha256=cd444e85a4392d4c69b4ab2f4cfadb00802093f0018c6088f37599646ba689b6"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageThresholdEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.spike": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The account spends far more than usual
         * @description Sent once an hour when its spending passes 1 USD and 3 times the hourly average of the last 7 days.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "usage.spike",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "hour_starts_at": "2026-11-21T09:00:00.000Z",
                     *         "spent": 12.5,
                     *         "hourly_mean": 2.5,
                     *         "factor": 5
                     *       },
                     *       "signature": "sha256=37410cea480f5452ffa19d6d48e4235f634759347ae622ea9692a43200f4e984"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageSpikeEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "anomaly.detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key is used suspiciously */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "anomaly.detected",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "kind": "many_addresses",
                     *         "count": 11,
                     *         "since": "2026-11-21T08:30:00.000Z"
                     *       },
                     *       "signature": "sha256=513a8eb24181cb600b57503d60e3beae8643c4b9301b2a97bfe95bad1f4d9f18"
                     *     }
                     */
                    "application/json": components["schemas"]["AnomalyDetectedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rate_limit.exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was refused for its rate
         * @description Sent once a minute for each key at most.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "rate_limit.exceeded",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "window": "minute",
                     *         "limit": 10,
                     *         "retry_after": 12,
                     *         "request_route": "/v1/chat/completions"
                     *       },
                     *       "signature": "sha256=60b0e08228baf5c92f6aa27af50320e82cf984e36f336605337f049eea2a882b"
                     *     }
                     */
                    "application/json": components["schemas"]["RateLimitExceededEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An access key was revoked */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
                    "X-Service-Signature": components["parameters"]["ServiceSignature"];
                    /** @description The same with the secret that was replaced last, while its overlap runs. */
                    "X-Service-Signature-Previous"?: components["parameters"]["PreviousServiceSignature"];
                    /** @description The event_id, as Standard Webhooks call it. */
                    "webhook-id": components["parameters"]["WebhookMessageId"];
                    /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
                    "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                    /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
                    "webhook-signature": components["parameters"]["WebhookSignature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "key.revoked",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "data": {
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "access_key_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "name": "production backend",
                     *         "key_value_preview": "svc_test_Ab3d…9xYz",
                     *         "revoked_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "signature": "sha256=b139227b9fc4b4df66048bd73b8a04596db77241611a11f041689308bd7aaf0d"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyRevokedEvent"];
                };
            };
            responses: {
                /** @description The receiver has the event. It has 5 seconds to say so. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Any other answer, a redirect or none within 5 seconds: the attempt has failed. Up to 7 more follow, 5 s, 25 s, 2 min, 10 min, 1 h, 6 h and 24 h after the one before. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first and last characters of the secret. */
            key_value_preview: string;
            /** @description False once the key is revoked or has expired. */
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        AccessKeyCounts: {
            active: number;
            expired: number;
            revoked: number;
            /**
             * Format: date-time
             * @description When any of them was used last.
             */
            last_used_at: string | null;
        };
        /** @description The access key; null where the call had none, or the key was deleted since. */
        AccessKeyReference: {
            /** Format: uuid */
            id: string;
            name: string;
            key_value_preview: string;
            is_active: boolean;
        } | null;
        AccessKeySecret: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The full secret. It is shown this once only. */
            key_value: string;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        AccessKeyUsage: {
            /** Format: uuid */
            key_id: string;
            name: string;
            requests: number;
            tokens: number;
            /** @description USD. */
            cost: number;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description The costliest first. */
            by_operation: components["schemas"]["OperationUsage"][];
            /** @description The UTC days with calls in their order; the newest 1,000. */
            daily: components["schemas"]["DailyUsage"][];
        };
        AccountLimits: {
            /** @enum {string} */
            tier: "free" | "basic" | "pro" | "enterprise";
            /** @description Null means no limit. */
            requests_per_second: number | null;
            /** @description Null means no limit. */
            requests_per_minute: number | null;
            /** @description Null means no limit. */
            requests_per_hour: number | null;
            /** @description Null means no limit. */
            requests_per_day: number | null;
            categories: components["schemas"]["CategoryLimits"][];
        };
        AddCreditsRequest: {
            /**
             * Format: uuid
             * @description The account that receives the credits.
             */
            user_id: string;
            /** @description USD, in steps of 0.000000001. */
            amount_usd: number;
            /** @description Shown in the transaction. */
            reason: string;
        };
        AdminAction: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Who did it.
             */
            admin_id: string;
            operation: components["schemas"]["AdminOperation"];
            /**
             * Format: uuid
             * @description The account that it concerns.
             */
            user_id: string;
            /**
             * Format: uuid
             * @description What was changed: the account, its payment, transaction, request or webhook.
             */
            subject_id: string;
            reason: string | null;
            /** @description What was changed as it was; empty for what was new. */
            before: {
                [key: string]: unknown;
            };
            /** @description What was changed as it became. */
            after: {
                [key: string]: unknown;
            };
            /** @description The X-Request-Id of the admin's call. */
            request_id: string;
            /** Format: date-time */
            created_at: string;
        };
        AdminActionList: {
            actions: components["schemas"]["AdminAction"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        AdminCall: {
            user: components["schemas"]["UserReference"];
            key: components["schemas"]["AccessKeyReference"];
            receipt: components["schemas"]["Receipt"];
            /** @description What the call did to the balance; nothing where it was not charged. */
            transactions: components["schemas"]["Transaction"][];
        };
        AdminDelivery: {
            /**
             * Format: uuid
             * @description The account that owns the webhook.
             */
            user_id: string;
            delivery: components["schemas"]["WebhookDelivery"];
        };
        AdminDeliveryList: {
            deliveries: components["schemas"]["AdminDelivery"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        /** @enum {string} */
        AdminOperation: "updateUser" | "addCredits" | "resolvePayment" | "approveUpgradeRequest" | "rejectUpgradeRequest" | "enableWebhook";
        AdminPayment: {
            payment: components["schemas"]["Payment"];
            review: components["schemas"]["PaymentReview"];
            version: components["schemas"]["PaymentVersion"];
        };
        AdminPaymentList: {
            payments: components["schemas"]["AdminPayment"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        AdminUpgradeRequest: {
            user: components["schemas"]["UserReference"];
            request: components["schemas"]["UpgradeRequest"];
            /** Format: date-time */
            decided_at: string | null;
            /**
             * Format: uuid
             * @description The admin who decided.
             */
            decided_by: string | null;
            /** @description What the admin noted with the decision. */
            note: string | null;
        };
        AdminUpgradeRequestList: {
            upgrade_requests: components["schemas"]["AdminUpgradeRequest"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        AdminUser: {
            /** Format: uuid */
            id: string;
            email: string;
            username: string;
            /** @enum {string} */
            role: "user" | "admin";
            is_email_verified: boolean;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            tier: "free" | "basic" | "pro" | "enterprise";
            is_active: boolean;
            /** @description USD. */
            balance: number;
            rate_limits: components["schemas"]["CustomRateLimits"];
        };
        AdminUserDetails: {
            /** Format: uuid */
            id: string;
            email: string;
            username: string;
            /** @enum {string} */
            role: "user" | "admin";
            is_email_verified: boolean;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            tier: "free" | "basic" | "pro" | "enterprise";
            is_active: boolean;
            /** @description USD. */
            balance: number;
            rate_limits: components["schemas"]["CustomRateLimits"];
            /** @description USD that calls in flight hold. */
            reserved: number;
            /** @description USD that further calls may use. */
            available: number;
            rates: components["schemas"]["RatesInForce"];
            keys: components["schemas"]["AccessKeyCounts"];
            webhooks: components["schemas"]["WebhookCounts"];
            /** @description Payments that a person has to look at. */
            payments_in_review: number;
            /** Format: uuid */
            pending_upgrade_request_id: string | null;
        };
        AdminUserList: {
            users: components["schemas"]["AdminUser"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        AdminWebhook: {
            /**
             * Format: uuid
             * @description The account that owns it.
             */
            user_id: string;
            webhook: components["schemas"]["Webhook"];
        };
        AdminWebhookList: {
            webhooks: components["schemas"]["AdminWebhook"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            name: string;
            system_prompt: string | null;
            model: string | null;
            temperature: number | null;
            max_tokens: number | null;
            tools: string[];
            memory: components["schemas"]["AgentMemorySettings"];
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AgentAnswerMessage: {
            /** @enum {string} */
            role: "assistant";
            content: string;
        };
        AgentChat: {
            message: components["schemas"]["AgentAnswerMessage"];
            /** @description The model that answered last. */
            model: string;
            agent_id: string | null;
            finish_reason: string | null;
            usage: components["schemas"]["AgentUsage"];
            steps: components["schemas"]["AgentStep"][];
        };
        AgentChatResponse: {
            data: components["schemas"]["AgentChat"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        AgentList: {
            agents: components["schemas"]["Agent"][];
            /** @description How many there are in all. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. The next page then begins at `offset` + `limit`; an item that is larger comes by itself. */
            truncated: boolean;
        };
        AgentListResponse: {
            data: components["schemas"]["AgentList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description The most output tokens of one step; null or absent means the service's default. */
        AgentMaxTokens: number | null;
        AgentMemory: {
            /**
             * @description Whether the model is told the memories that match the last user message, 4,000 tokens of them at most.
             * @default false
             */
            enabled: boolean;
            /**
             * @description The memories that the agent knows and searches.
             * @default default
             */
            namespace: string;
            /**
             * @description How many memories at most.
             * @default 5
             */
            top_k: number;
        };
        AgentMemorySettings: {
            enabled: boolean;
            namespace: string;
            top_k: number;
        };
        AgentMessage: {
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            content: string;
        };
        /** @description Anything: at most 256 values and 16 KiB. */
        AgentMetadata: {
            [key: string]: unknown;
        };
        /** @description Null or absent means the default model. */
        AgentModel: string | null;
        /** @description Null or absent means no agent. */
        AgentReference: string | null;
        AgentResponse: {
            data: components["schemas"]["Agent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description One call of the model, and the tools that it asked for. */
        AgentStep: {
            /** @description The model that answered. */
            model: string;
            finish_reason: string | null;
            tool_calls: components["schemas"]["AgentStepToolCall"][];
            usage: components["schemas"]["AgentUsage"];
        };
        AgentStepToolCall: {
            /** @description The tool's name as the model wrote it. */
            name: string;
            /** @description The arguments as the model wrote them; mostly JSON. */
            arguments: string;
            /** @description The result that the model was given. */
            result: string;
            is_error: boolean;
        };
        /** @description What the model is told before the messages. */
        AgentSystemPrompt: string | null;
        AgentTemperature: number | null;
        AgentText: {
            text: string;
            /** @description The model that answered last. */
            model: string;
            agent_id: string | null;
            finish_reason: string | null;
            usage: components["schemas"]["AgentUsage"];
            steps: components["schemas"]["AgentStep"][];
        };
        AgentTextResponse: {
            data: components["schemas"]["AgentText"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description What the model may call: `rag.retrieve` finds parts of the account's indexed documents, `memory.search` finds the account's memories in the agent's namespace, `calculator` evaluates an arithmetic expression, `time` tells the time in a zone. They need a model of an upstream: an agent with tools is refused (400) where only the embedded model would answer. */
        AgentTools: ("rag.retrieve" | "memory.search" | "calculator" | "time")[];
        /** @description Tokens. */
        AgentUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
        };
        /** @description Whether the embedded engine may answer in place of a failing upstream; absent means no. */
        AllowDegraded: boolean;
        AnalyzeAdvancedRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /**
             * @description The most sentences of the summary.
             * @default 5
             */
            sentences: number;
            /** @default 20 */
            keywords_max: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        AnalyzeInputsRequest: {
            inputs: components["schemas"]["OmmInputs"];
            /** @default 20000 */
            max_input_tokens: components["schemas"]["OmmInputTokensMax"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
        };
        AnalyzeLegalRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        AnalyzeProfessionalRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        AnalyzeScholarRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        AnomalyDetectedData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** Format: uuid */
            access_key_id: string;
            /**
             * @description Many calls with wrong credentials that begin like those of the key, or calls with the key from many addresses.
             * @enum {string}
             */
            kind: "invalid_credentials" | "many_addresses";
            /** @description How many calls or addresses. */
            count: number;
            /**
             * Format: date-time
             * @description Since when they are counted.
             */
            since: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        AnomalyDetectedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "anomaly.detected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["AnomalyDetectedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        /** @description The most output tokens; null or absent means the service's default. A model's answer that does not fit is an error (502); an embedded answer is not cut, and charged no more than so many. */
        AnswerTokensMax: number | null;
        /** @description The tokens that the answer used, a repair of it included. */
        AnswerUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
        };
        /** @description The model that answered, or the method of the embedded engine. */
        AnsweredBy: string;
        /** @description The model of an upstream that is asked; null or absent means the default model. */
        AnsweringModel: string | null;
        ApiError: {
            /** @description The kind of error. */
            error: string;
            /** @description What went wrong and what to do about it. */
            message: string;
            /** @description The call's id; also in X-Request-Id. */
            request_id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ApproveUpgradeRequest: {
            note?: string;
            rate_limits?: components["schemas"]["CustomRateLimitsRequest"];
        };
        Balance: {
            /** @description The sum of all transactions, USD. */
            balance: number;
            /** @description What calls in flight hold of it, USD. */
            reserved: number;
            /** @description What a new call can use, USD. */
            available: number;
        };
        BalanceDepletedData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description USD, before. */
            previous_balance: number;
            /** @description USD: 0. */
            balance: number;
            /** @description The transaction, see `GET /api/payments/transactions/{id}`. */
            transaction_id: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        BalanceDepletedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "balance.depleted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["BalanceDepletedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        BalanceLowData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description USD, before. */
            previous_balance: number;
            /** @description USD, after. */
            balance: number;
            /** @description USD; the balance was at least this and is below it now. */
            threshold: number;
            /** @description The transaction, see `GET /api/payments/transactions/{id}`. */
            transaction_id: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        BalanceLowEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "balance.low";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["BalanceLowData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        BalanceUpdatedData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description USD, before. */
            previous_balance: number;
            /** @description USD, after. */
            new_balance: number;
            /** @description USD; negative where credits left the account. */
            change: number;
            /** @enum {string} */
            reason: "deposit" | "charge" | "refund" | "adjustment" | "bonus";
            /** @description As in the transaction. */
            reference_id: string | null;
            /** @description The transaction, see `GET /api/payments/transactions/{id}`. */
            transaction_id: string;
            /** @description Grows with each transaction of the account. Events may arrive in another order: sorted by this number, the new balance of each is the previous balance of the next. */
            ledger_position: number;
            metadata: components["schemas"]["BalanceUpdatedMetadata"];
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        BalanceUpdatedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "balance.updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["BalanceUpdatedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        /** @description The operation that was charged; null for a change that no operation made. */
        BalanceUpdatedMetadata: {
            route: string | null;
            method: string | null;
        };
        Brainstorm: {
            /**
             * @description Whether a model had these ideas, or they are questions that lead to some, made by rule.
             * @enum {string}
             */
            kind: "ideas" | "prompts";
            ideas: components["schemas"]["CreativeIdea"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        BrainstormCreativeRequest: {
            topic: string;
            /**
             * @description How many ideas are wanted.
             * @default 7
             */
            count: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        BrainstormResponse: {
            data: components["schemas"]["Brainstorm"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        CategoryLimits: {
            /** @enum {string} */
            category: "health" | "read" | "write" | "llm" | "heavy";
            /** @description The share of the tier's rates that the category may use; null means no limit. */
            multiplier: number | null;
            /** @description May be below 1: 0.2 means one call in 5 seconds. */
            requests_per_second: number | null;
            requests_per_minute: number | null;
            requests_per_hour: number | null;
            requests_per_day: number | null;
        };
        ChangePasswordRequest: {
            current_password: string;
            /** @description At least 8 characters; 12 or more are recommended. */
            new_password: string;
        };
        ChatChoice: {
            index: number;
            message: components["schemas"]["ChatCompletionMessage"];
            finish_reason: string | null;
            logprobs?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ChatChunkChoice: {
            index: number;
            delta: components["schemas"]["ChatDelta"];
            finish_reason?: string | null;
            logprobs?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletion: {
            id: string;
            /** @enum {string} */
            object: "chat.completion";
            /** @description Unix seconds. */
            created: number;
            /** @description The model that answered. */
            model: string;
            choices: components["schemas"]["ChatChoice"][];
            usage: components["schemas"]["CompletionUsage"];
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunk: {
            id: string;
            /** @enum {string} */
            object: "chat.completion.chunk";
            /** @description Unix seconds. */
            created: number;
            /** @description The model that answers. */
            model: string;
            choices: components["schemas"]["ChatChunkChoice"][];
            usage?: components["schemas"]["StreamedUsage"];
        } & {
            [key: string]: unknown;
        };
        /** @description The data of one event. A stream ends with the data `[DONE]`, one that broke off with an error. */
        ChatCompletionEvent: components["schemas"]["ChatCompletionChunk"] | components["schemas"]["StreamError"];
        ChatCompletionMessage: {
            /** @enum {string} */
            role: "assistant";
            content: string | null;
            refusal?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatContentPart: components["schemas"]["KnownChatContentPart"] | components["schemas"]["OtherContentPart"];
        /** @description What this chunk adds to the message. */
        ChatDelta: {
            role?: string;
            content?: string | null;
            refusal?: string | null;
            tool_calls?: components["schemas"]["ToolCallDelta"][] | null;
        } & {
            [key: string]: unknown;
        };
        ChatMessage: {
            /** @enum {string} */
            role: "developer" | "system" | "user" | "assistant" | "tool" | "function";
            content?: string | components["schemas"]["ChatContentPart"][] | null;
            name?: string | null;
            tool_call_id?: string | null;
            tool_calls?: {
                [key: string]: unknown;
            }[] | null;
        } & {
            [key: string]: unknown;
        };
        ChatWithAgentRequest: {
            messages: components["schemas"]["AgentMessage"][];
            agent_id?: components["schemas"]["AgentReference"];
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            max_tokens?: components["schemas"]["AgentMaxTokens"];
            /** @description Whether the answer arrives as server-sent events. */
            stream?: boolean;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        CiteScholarRequest: {
            sources: components["schemas"]["ScholarSource"][];
            /** @enum {string} */
            style: "apa" | "mla" | "chicago" | "bibtex" | "ris";
        };
        ClassifyResult: {
            /** @enum {string} */
            type: "classify";
            /** @description Null where none fits, or several equally well. */
            label: string | null;
            evidence: components["schemas"]["QuotedSentence"][];
        };
        CompareLegalRequest: {
            before: components["schemas"]["ComparedText"];
            after: components["schemas"]["ComparedText"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        ComparedText: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
        };
        /** @description Tokens as the model's provider counts them; what was paid for is in `X-Tokens-Used`. */
        CompletionUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        ContentAnalysis: {
            summary: string;
            /** @description Sentences of the text that say what matters most, in the text's order. */
            key_points: components["schemas"]["QuotedSentence"][];
            keywords: components["schemas"]["FoundKeyword"][];
            /** @description Null where the embedded engine answers and the text is not English. */
            tone: components["schemas"]["TextTone"] | null;
            /** @description ISO 639-1; null where it cannot be told honestly. */
            language: string | null;
            statistics: components["schemas"]["TextCounts"];
            readability: components["schemas"]["TextReadability"];
            /** @description The first 1,000, found by rules. */
            entities: components["schemas"]["FoundEntity"][];
            /** @description How many there are, at most 10,000. */
            entities_total: number;
            /** @description The first 1,000. */
            headings: components["schemas"]["OutlineHeading"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ContentAnalysisResponse: {
            data: components["schemas"]["ContentAnalysis"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ContentPartAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.content_part.added";
            item_id: string;
            output_index: number;
            content_index: number;
            part: components["schemas"]["ResponseOutputPart"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ContentPartDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.content_part.done";
            item_id: string;
            output_index: number;
            content_index: number;
            part: components["schemas"]["ResponseOutputPart"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        Costs: {
            /** @description USD. */
            total: number;
            /** @description The costliest first. */
            by_operation: components["schemas"]["OperationUsage"][];
            /** @description The costliest 1,000 keys, the costliest first. */
            by_key: components["schemas"]["KeyCost"][];
            /** @description The costliest first; free calls have no price. */
            by_price: components["schemas"]["PriceCost"][];
        };
        CreateAgentRequest: {
            /** @description Need not be unique. */
            name: string;
            system_prompt?: components["schemas"]["AgentSystemPrompt"];
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            max_tokens?: components["schemas"]["AgentMaxTokens"];
            tools?: components["schemas"]["AgentTools"];
            memory?: components["schemas"]["AgentMemory"];
            metadata?: components["schemas"]["AgentMetadata"];
        };
        /** @description Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
        CreateChatCompletionRequest: {
            model: string;
            messages: components["schemas"]["ChatMessage"][];
            max_tokens?: number | null;
            /** @description Takes precedence over `max_tokens` where both are given. */
            max_completion_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            n?: number | null;
            stop?: components["schemas"]["StopSequences"];
            /** @description Whether the answer arrives as server-sent events. */
            stream?: boolean | null;
            stream_options?: {
                [key: string]: unknown;
            } | null;
            presence_penalty?: number | null;
            frequency_penalty?: number | null;
            logit_bias?: {
                [key: string]: unknown;
            } | null;
            logprobs?: boolean | null;
            top_logprobs?: number | null;
            response_format?: components["schemas"]["ResponseFormat"];
            tools?: {
                [key: string]: unknown;
            }[] | null;
            seed?: number | null;
            user?: string | null;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        } & {
            [key: string]: unknown;
        };
        /** @description Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
        CreateCompletionRequest: {
            model: string;
            /** @description A text, an array of texts, the tokens of a text, or an array of those; at most 100 prompts. */
            prompt: string | components["schemas"]["PromptPart"][];
            suffix?: string | null;
            max_tokens?: number | null;
            /** @description Takes precedence over `max_tokens` where both are given. */
            max_completion_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            n?: number | null;
            best_of?: number | null;
            echo?: boolean | null;
            stop?: components["schemas"]["StopSequences"];
            /** @description Whether the answer arrives as server-sent events. */
            stream?: boolean | null;
            stream_options?: {
                [key: string]: unknown;
            } | null;
            presence_penalty?: number | null;
            frequency_penalty?: number | null;
            logit_bias?: {
                [key: string]: unknown;
            } | null;
            logprobs?: number | null;
            seed?: number | null;
            user?: string | null;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        } & {
            [key: string]: unknown;
        };
        /** @description Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
        CreateEmbeddingRequest: {
            model: string;
            /** @description A text, an array of texts, the tokens of a text, or an array of those; at most 2,048 inputs. */
            input: string | components["schemas"]["EmbeddingInput"][];
            /**
             * @description Null or absent means `float`; `base64` is the little-endian float32 values.
             * @enum {string|null}
             */
            encoding_format?: "float" | "base64" | null;
            dimensions?: number | null;
            user?: string | null;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        } & {
            [key: string]: unknown;
        };
        CreateKeyRequest: {
            /** @description What the key is for. */
            name: string;
            /**
             * Format: date-or-date-time
             * @description When the key stops working, ISO 8601; null or absent means never. A date alone is the midnight UTC with which the day begins; without a zone a time is UTC.
             */
            expires_at?: string | null;
        };
        CreateMemoryBatchRequest: {
            /** @description Of items with the same namespace and key the last one is stored. */
            items: components["schemas"]["CreateMemoryRequest"][];
        };
        CreateMemoryRequest: {
            /** @description Names the memory in its namespace. */
            key: string;
            /** @description Search looks at its first 100,000 characters. */
            value: string;
            /** @description Anything to filter by later: at most 256 values and 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @default default */
            namespace: string;
            /** @description How many seconds the memory is kept; null or absent means until it is replaced. */
            ttl_seconds?: number | null;
        };
        CreatePaymentRequest: {
            /** @description What is to be credited, in USD. */
            amount_usd: number;
            currency: components["schemas"]["PaymentCurrency"];
        };
        /** @description Fields that are not listed here are passed on to the model's provider. Nothing is stored, so a conversation is continued by sending its earlier items again. Refused with 400, unless the operator has priced them, are fields that may cost more than tokens (such as `service_tier`, tools that the provider runs, a stored `prompt`), and parts whose tokens have no bound, such as files. */
        CreateResponseRequest: {
            model: string;
            input: string | components["schemas"]["ResponseInputItem"][];
            /** @description A system message that precedes the input. */
            instructions?: string | null;
            max_output_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            top_logprobs?: number | null;
            tools?: {
                [key: string]: unknown;
            }[] | null;
            tool_choice?: string | {
                [key: string]: unknown;
            } | null;
            parallel_tool_calls?: boolean | null;
            text?: components["schemas"]["ResponseText"];
            reasoning?: components["schemas"]["ResponseReasoning"];
            include?: string[] | null;
            truncation?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            user?: string | null;
            /** @description Whether the answer arrives as server-sent events. */
            stream?: boolean | null;
            /** @description Is ignored. Nothing is stored, and the response says `false`. */
            store?: boolean | null;
            /** @description Only false or null, because a response that is not stored can't be fetched later. */
            background?: boolean | null;
            /** @description Only null, as responses are not stored. */
            previous_response_id?: string | null;
            /** @description Only null, as conversations are not stored. */
            conversation?: string | {
                [key: string]: unknown;
            } | null;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        } & {
            [key: string]: unknown;
        };
        CreateWebhookRequest: {
            /** @description Where events are sent by POST: an HTTPS URL with port 443 or one from 1024 on, whose host has public addresses only. */
            url: string;
            /** @description What is sent. */
            events: components["schemas"]["WebhookSubscription"][];
            /** @description What the webhook is for. */
            description?: string;
            /** @description The key of the signatures, as it is written. After `whsec_` it must go on with the base64 of 24 to 64 bytes, because libraries for Standard Webhooks decode that part. Generated when absent. */
            secret?: string;
        };
        /** @enum {string} */
        CreativeForm: "poem" | "haiku" | "limerick" | "sonnet" | "lyrics" | "dialogue" | "monologue" | "scene" | "slogan" | "blurb";
        CreativeIdea: {
            title: string;
            /** @description What is done or asked, in a sentence or two. */
            angle: string;
            /**
             * @description The technique of SCAMPER that leads there.
             * @enum {string}
             */
            technique: "substitute" | "combine" | "adapt" | "modify" | "put_to_another_use" | "eliminate" | "reverse";
        };
        /** @description A part of a scaffold, such as a stanza. */
        CreativePart: {
            title: string;
            /** @description What belongs into each of its places. */
            lines: string[];
        };
        CreativeText: {
            form: components["schemas"]["CreativeForm"];
            /**
             * @description Whether `text` is the text itself or the scaffold of one, which was made by rule.
             * @enum {string}
             */
            kind: "text" | "scaffold";
            /** @description A title of the model, or the first words of the prompt. */
            title: string;
            text: string;
            /** @description The parts of a scaffold; empty for a text. */
            parts: components["schemas"]["CreativePart"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        CreativeTextResponse: {
            data: components["schemas"]["CreativeText"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description The account's own limits; null where its tier alone counts. */
        CustomRateLimits: {
            /** @description Null means no limit. */
            requests_per_second: number | null;
            /** @description Null means no limit. */
            requests_per_minute: number | null;
            /** @description Null means no limit. */
            requests_per_hour: number | null;
            /** @description Null means no limit. */
            requests_per_day: number | null;
        } | null;
        /** @description The account's own limits. A number that is null or absent means no limit; null in place of the object removes them all. */
        CustomRateLimitsRequest: {
            requests_per_second?: number | null;
            requests_per_minute?: number | null;
            requests_per_hour?: number | null;
            requests_per_day?: number | null;
        } | null;
        DailyUsage: {
            /**
             * Format: date-time
             * @description Midnight UTC with which the day begins.
             */
            date: string;
            requests: number;
            tokens: number;
            /** @description USD. */
            cost: number;
        };
        DeliveryAttempt: {
            /** Format: date-time */
            attempted_at: string;
            duration_ms: number;
            /** @description The HTTP status that the receiver answered; null where it did not answer. */
            response_status: number | null;
            /** @description The first 2 KiB of the answer to a successful attempt. */
            response_body: string | null;
            /** @description Why the attempt failed. */
            error_message: string | null;
        };
        DeliveryList: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        DocsAnchor: {
            title: string;
            level: number;
            /** @description As GitHub makes it, without "#"; unique within the page. */
            anchor: string;
        };
        /** @description A heading with those below it. Offsets are in UTF-16 code units. */
        DocsHeading: {
            title: string;
            level: number;
            anchor: string;
            start: number;
            end: number;
            children: components["schemas"]["DocsHeading"][];
        };
        DocsImprovement: {
            suggestions: components["schemas"]["TextSuggestion"][];
            /** @description How many further suggestions were found. */
            more_suggestions: number;
            /** @description The first 500 faults of the page, in its order. */
            lint: components["schemas"]["DocsLint"][];
            /** @description How many further faults the page has. */
            more_lint: number;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        DocsImprovementResponse: {
            data: components["schemas"]["DocsImprovement"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {string} */
        DocsKind: "readme" | "api" | "guide" | "changelog";
        /** @description A fault of the page, found by rule. Offsets are in UTF-16 code units. */
        DocsLint: {
            /** @enum {string} */
            rule: "heading_level_skipped" | "several_titles" | "duplicate_heading" | "bare_url" | "empty_link" | "missing_alt_text" | "broken_anchor" | "trailing_spaces" | "fence_without_language" | "fence_not_closed" | "long_line" | "long_sentence" | "unfinished" | "list_markers_differ" | "list_number_skipped";
            /** @description From 1. */
            line: number;
            message: string;
            start: number;
            end: number;
        };
        /** @description A numbered heading that does not follow the one before it. */
        DocsNumberingGap: {
            title: string;
            number: string;
            /** @description The number that would follow. */
            expected: string;
            start: number;
            end: number;
        };
        DocsSection: {
            title: string;
            /** @description The level of its heading; 2 or more. */
            level: number;
            /** @description Markdown, without the heading. */
            text: string;
        };
        DocsStructure: {
            /** @description The first 1000 headings as a tree. */
            outline: components["schemas"]["DocsHeading"][];
            /** @description Markdown; the page's title is not in it. */
            table_of_contents: string;
            anchors: components["schemas"]["DocsAnchor"][];
            numbering_gaps: components["schemas"]["DocsNumberingGap"][];
            /** @description How many further headings there are. */
            more: number;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        DocsStructureResponse: {
            data: components["schemas"]["DocsStructure"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        DocumentAmount: {
            text: string;
            start: number;
            end: number;
            /** @description A decimal number. */
            amount: string;
            /** @description ISO 4217; null where the text does not say. */
            currency: string | null;
        };
        DocumentDate: {
            text: string;
            start: number;
            end: number;
            /** @description ISO 8601, as exact as the text is; null where it is not certain. */
            date: string | null;
        };
        DocumentEntity: {
            /** @enum {string} */
            type: "person" | "organization" | "location" | "date" | "time" | "duration" | "money" | "percentage" | "email" | "url" | "phone" | "identifier";
            text: string;
            /** @description Where it begins in the text, in UTF-16 code units. */
            start: number;
            end: number;
            /** @description The same in one form: an ISO 8601 date, `USD 1250.00`, `12.5`; null where there is none. */
            value: string | null;
        };
        /** @description The member that `what` names holds what was found; with a `schema` it is `value`. All others are null. */
        DocumentExtract: {
            /** Format: uuid */
            document_id: string;
            /** @enum {string|null} */
            what: "entities" | "tables" | "key_values" | "dates" | "amounts" | null;
            entities: components["schemas"]["DocumentEntity"][] | null;
            tables: components["schemas"]["DocumentTable"][] | null;
            key_values: components["schemas"]["DocumentKeyValue"][] | null;
            dates: components["schemas"]["DocumentDate"][] | null;
            amounts: components["schemas"]["DocumentAmount"][] | null;
            /** @description What a model filled into the `schema`. */
            value: {
                [key: string]: unknown;
            } | null;
            /** @description Whether there is more than is named here. */
            is_truncated: boolean;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        DocumentExtractResponse: {
            data: components["schemas"]["DocumentExtract"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @description The format of a document.
         * @enum {string}
         */
        DocumentFileType: "txt" | "md" | "html" | "csv" | "json" | "pdf" | "docx" | "png" | "jpeg" | "webp";
        DocumentKeyValue: {
            key: string;
            value: string;
            start: number;
            end: number;
        };
        DocumentList: {
            documents: components["schemas"]["StoredDocument"][];
            /** @description How many there are in all. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. The next page then begins at `offset` + `limit`; an item that is larger comes by itself. */
            truncated: boolean;
        };
        DocumentListResponse: {
            data: components["schemas"]["DocumentList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        DocumentResponse: {
            data: components["schemas"]["StoredDocument"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @description What has become of a document.
         * @enum {string}
         */
        DocumentStatus: "uploaded" | "processing" | "ready" | "failed";
        DocumentTable: {
            header: string[];
            rows: string[][];
        };
        Embedding: {
            /** @enum {string} */
            object: "embedding";
            /** @description Which input it belongs to. */
            index: number;
            embedding: number[] | string;
        } & {
            [key: string]: unknown;
        };
        EmbeddingInput: string | number | number[];
        EmbeddingList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Embedding"][];
            /** @description The model that answered. */
            model: string;
            usage: components["schemas"]["EmbeddingUsage"];
        } & {
            [key: string]: unknown;
        };
        /** @description Tokens as the model's provider counts them; what was paid for is in `X-Tokens-Used`. */
        EmbeddingUsage: {
            prompt_tokens: number;
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        EnableWebhookRequest: {
            /** @description Why; kept with the action, and not shown to the account. */
            reason?: string;
        };
        /** @description What produced the answer of an operation that a model serves. */
        Engine: {
            /** @description `embedded`, or the name of the upstream. */
            provider: string;
            /** @description How the answer came about. */
            method: string;
            /** @description `basic` for classical text processing, `model` for a language model. */
            quality: string;
        };
        EnhanceCreativeRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /** @description What the draft should become, such as "tenser"; only a model of an upstream can heed it. */
            goal?: string | null;
            /**
             * @description How many suggestions there are at most; the first ones in the text are kept.
             * @default 50
             */
            suggestions_max: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        Enhancement: {
            suggestions: components["schemas"]["TextSuggestion"][];
            /** @description How many further places were found that are not named. */
            more: number;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        EnhancementResponse: {
            data: components["schemas"]["Enhancement"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        EntitiesResult: {
            /** @enum {string} */
            type: "entities";
            entities: components["schemas"]["FoundEntity"][];
        };
        /** @enum {string} */
        EntityType: "person" | "organization" | "location" | "date" | "time" | "duration" | "money" | "percentage" | "email" | "url" | "phone" | "identifier";
        /**
         * @description What happened.
         * @enum {string}
         */
        EventType: "payment.created" | "payment.confirming" | "payment.confirmed" | "payment.failed" | "payment.expired" | "balance.updated" | "balance.low" | "balance.depleted" | "usage.limit_exceeded" | "usage.threshold" | "usage.spike" | "anomaly.detected" | "rate_limit.exceeded" | "key.revoked";
        /** @description At least one of `what` and `schema` is given. */
        ExtractDocumentRequest: {
            /**
             * @description What is looked for; with a `schema`, what the model is to look for above all.
             * @enum {string|null}
             */
            what?: "entities" | "tables" | "key_values" | "dates" | "amounts" | null;
            /** @description A JSON Schema of what is wanted, for a model of an upstream. */
            schema?: {
                [key: string]: unknown;
            } | null;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        ExtractLegalRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        FilePart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file";
            file: components["schemas"]["InlineFile"];
        } & {
            [key: string]: unknown;
        };
        FoundEntity: {
            type: components["schemas"]["EntityType"];
            text: string;
            /** @description Where it begins in the text, in UTF-16 code units. */
            start: number;
            /** @description Where it ends. */
            end: number;
            /** @description What it means in one form: ISO 8601 for dates, times and durations, `USD 1250.00` for money, `12.5` for percentages. Null for names, and where the text does not say enough, as of a date without a year. */
            value: string | null;
        };
        FoundKeyValue: {
            key: string;
            value: string;
            start: number;
            end: number;
        };
        FoundKeyword: {
            text: string;
            /** @description 1 for the best. Of a model's keywords it tells their order only. */
            score: number;
            /** @description How often it stands in the text. */
            count: number;
        };
        FoundTextTable: {
            start: number;
            end: number;
            header: string[];
            rows: string[][];
        };
        FunctionCallArgumentsDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.function_call_arguments.delta";
            item_id: string;
            output_index: number;
            delta: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        FunctionCallArgumentsDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.function_call_arguments.done";
            item_id: string;
            output_index: number;
            name?: string;
            arguments: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        FunctionCallDelta: {
            name?: string;
            /** @description A piece of the arguments' JSON. */
            arguments?: string;
        } & {
            [key: string]: unknown;
        };
        GenerateAdvancedRequest: {
            /** @description What a model of an upstream shall write. Exactly one of `prompt` and `template` is given. */
            prompt?: string | null;
            /** @description Material that the text shall keep to; with `prompt` only. */
            context?: string | null;
            /**
             * @description With `prompt` only.
             * @enum {string|null}
             */
            tone?: "formal" | "neutral" | "informal" | "friendly" | "simple" | null;
            /** @description About how long it may be; with `prompt` only. */
            words_max?: number | null;
            /** @description A text with places such as `{{name}}`, which is filled with `variables` by the service itself, with no model. A place without a variable, and a variable without a place, are 422. */
            template?: string | null;
            /**
             * @description With `template` only.
             * @default []
             */
            variables: components["schemas"]["TemplateVariable"][];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateCreativeRequest: {
            form: components["schemas"]["CreativeForm"];
            /** @description What the text is about. */
            prompt: string;
            tone?: string | null;
            /** @description For whom it is. */
            audience?: string | null;
            /** @description Who appears in it; the speakers of a dialogue, in their order. */
            names?: string[];
            /**
             * @description How many stanzas, turns or paragraphs; what has a fixed form, such as a haiku, keeps it.
             * @default medium
             * @enum {string}
             */
            length: "short" | "medium" | "long";
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateDocsRequest: {
            kind: components["schemas"]["DocsKind"];
            /** @description The page's title, such as the product's name; an API's reference has that of its document. */
            title?: string | null;
            /** @description What is to be documented. */
            brief?: string | null;
            /** @description The source: an OpenAPI 3 document in JSON for `api`, commits for `changelog` (one a line, or as `git log` prints them), a text of the product or its package.json for `readme` and `guide`. */
            content?: string | null;
            /** @description The id of an uploaded document of the account that is `ready`, in place of `content`. */
            document_id?: string | null;
            /** @description The release that a changelog is about; null or absent for what is not released yet. */
            version?: string | null;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateFromInputsRequest: {
            /** @description What is wanted. Places such as `{{name}}` take the values of `variables`, and `{{input_1}}` the text of the first input. */
            prompt: string;
            variables?: components["schemas"]["OmmVariable"][];
            /** @description What it is written from. Those without a place in the prompt go along with it. */
            inputs?: components["schemas"]["OmmInput"][];
            /**
             * @description Only texts are written; nothing here makes pictures or sounds (422).
             * @default text
             * @enum {string}
             */
            output_type: "text" | "image" | "audio";
            /** @default 20000 */
            max_input_tokens: components["schemas"]["OmmInputTokensMax"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateProfessionalRequest: {
            /** @enum {string} */
            kind: "proposal" | "report" | "letter" | "email" | "memo" | "meeting_minutes" | "press_release" | "job_posting";
            /** @description What the document has to say. */
            brief: string;
            /** @description Who reads it. */
            audience?: string | null;
            /**
             * @default neutral
             * @enum {string}
             */
            tone: "formal" | "neutral" | "friendly";
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateStoryRequest: {
            /** @description What the story is about. */
            prompt: string;
            genre?: string | null;
            characters?: components["schemas"]["StoryCharacterInput"][];
            /**
             * @description How many beats an outline has, and how long prose is asked to be: about 300, 800 or 2,000 words.
             * @default medium
             */
            length: components["schemas"]["StoryLength"];
            tone?: string | null;
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            /** @description The most output tokens; null or absent means the service's default. */
            max_tokens?: number | null;
            /** @description Whether the story arrives as server-sent events. */
            stream?: boolean;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateWithAgentRequest: {
            prompt: string;
            agent_id?: components["schemas"]["AgentReference"];
            system_prompt?: components["schemas"]["AgentSystemPrompt"];
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            max_tokens?: components["schemas"]["AgentMaxTokens"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GenerateWithRagRequest: {
            query: string;
            /**
             * @description How many chunks at most.
             * @default 5
             */
            top_k: number;
            /** @description Absent means all collections. */
            collection?: components["schemas"]["RagCollection"];
            filter?: components["schemas"]["RagFilter"];
            min_score?: components["schemas"]["RagMinScore"];
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            /** @description The most output tokens; null or absent means the service's default. */
            max_tokens?: number | null;
            /** @description Whether the answer arrives as server-sent events. */
            stream?: boolean;
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        GeneratedContent: {
            /** @enum {string} */
            kind: "written" | "filled_template";
            /** @description Null for a template that was filled. */
            title: string | null;
            text: string;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        GeneratedContentResponse: {
            data: components["schemas"]["GeneratedContent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        GeneratedDocs: {
            kind: components["schemas"]["DocsKind"];
            /**
             * @description A skeleton has places that are marked as to be filled in.
             * @enum {string}
             */
            state: "complete" | "skeleton";
            title: string;
            sections: components["schemas"]["DocsSection"][];
            /** @description The whole page as Markdown. */
            text: string;
            /** @description What the author has to fill in, as the places `[To fill in: …]` of the text say it. */
            to_fill_in: string[];
            /** @description What the source has and the page has not, such as commits that matter to no reader. */
            omitted: string[];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        GeneratedDocsResponse: {
            data: components["schemas"]["GeneratedDocs"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            /** @description The version of the API. */
            version: string;
            /** Format: date-time */
            timestamp: string;
        };
        ImageUrl: {
            /** @description An address, or the image itself as `data:image/png;base64,…`. */
            url: string;
            /** @enum {string} */
            detail?: "auto" | "low" | "high";
        } & {
            [key: string]: unknown;
        };
        ImageUrlPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_url";
            image_url: components["schemas"]["ImageUrl"];
        } & {
            [key: string]: unknown;
        };
        ImproveDocsRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /** @description For whom the page is; only a model of an upstream can heed it. */
            audience?: string | null;
            /**
             * @description How many suggestions there are at most; the first ones in the text are kept.
             * @default 50
             */
            suggestions_max: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        IndexRagDocumentRequest: {
            /** @description Plain text or Markdown. It has to hold a letter or a digit. */
            content: string;
            /** @description Anything to filter by later: at most 256 values and 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description What to group documents by.
             * @default default
             */
            collection: components["schemas"]["RagCollection"];
            /** @description An id of your own; absent means that one is made. */
            document_id?: components["schemas"]["RagDocumentId"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        IndexSearchItemsRequest: {
            /** @description Of items with the same id the last one is stored. */
            items: components["schemas"]["SearchItemInput"][];
        };
        IndexedRagDocument: {
            document_id: string;
            collection: string;
            /** @description How many chunks the document has. */
            chunks: number;
            /** @description How many tokens its content has. */
            tokens: number;
            /** @description Whether the content was there already. */
            deduplicated: boolean;
        };
        IndexedRagDocumentResponse: {
            data: components["schemas"]["IndexedRagDocument"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        IndexedSearchItem: {
            id: string;
            /** @description Whether it is new; false where it replaced an item. */
            created: boolean;
        };
        IndexedSearchItems: {
            items: components["schemas"]["IndexedSearchItem"][];
            /** @description How many items the request had. */
            count: number;
            /** @description The tokens of their titles and contents. */
            tokens: number;
        };
        IndexedSearchItemsResponse: {
            data: components["schemas"]["IndexedSearchItems"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        InlineFile: {
            filename?: string;
            /** @description The file as `data:application/pdf;base64,…`. */
            file_data?: string;
            /** @description The id that the model's provider gave a file. */
            file_id?: string;
        } & {
            [key: string]: unknown;
        };
        InputAudio: {
            /** @description The sound in base64. */
            data: string;
            /** @description `wav`, `mp3` or what else the model takes. */
            format: string;
        } & {
            [key: string]: unknown;
        };
        InputAudioPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_audio";
            input_audio: components["schemas"]["InputAudio"];
        } & {
            [key: string]: unknown;
        };
        InputFilePart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_file";
            filename?: string;
            /** @description The file as `data:application/pdf;base64,…`. */
            file_data?: string;
        } & {
            [key: string]: unknown;
        };
        InputImagePart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_image";
            /** @description An address, or the image itself as `data:image/png;base64,…`. */
            image_url?: string;
            /** @enum {string} */
            detail?: "auto" | "low" | "high";
        } & {
            [key: string]: unknown;
        };
        InputTextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        KeyCost: {
            /**
             * Format: uuid
             * @description Null for calls made with an account token.
             */
            key_id: string | null;
            /** @description Null where there is no key or it was deleted. */
            name: string | null;
            requests: number;
            /** @description USD. */
            cost: number;
        };
        KeyRevokedData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** Format: uuid */
            access_key_id: string;
            name: string;
            /** @description The first and last characters of the secret. */
            key_value_preview: string;
            /** Format: date-time */
            revoked_at: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        KeyRevokedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "key.revoked";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["KeyRevokedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        KeyValuesResult: {
            /** @enum {string} */
            type: "key_values";
            key_values: components["schemas"]["FoundKeyValue"][];
        };
        KeywordsResult: {
            /** @enum {string} */
            type: "keywords";
            keywords: components["schemas"]["FoundKeyword"][];
        };
        KnownChatContentPart: components["schemas"]["TextPart"] | components["schemas"]["ImageUrlPart"] | components["schemas"]["InputAudioPart"] | components["schemas"]["FilePart"] | components["schemas"]["RefusalPart"];
        KnownResponseContentPart: components["schemas"]["InputTextPart"] | components["schemas"]["InputImagePart"] | components["schemas"]["InputFilePart"] | components["schemas"]["InputAudioPart"] | components["schemas"]["OutputTextPart"] | components["schemas"]["RefusalPart"];
        LanguageResult: {
            /** @enum {string} */
            type: "language";
            /** @description ISO 639-1; null where it cannot be told honestly. */
            language: string | null;
            /** @description What speaks for each language, the likeliest first, also where it is too little to tell `language`; empty where nothing speaks for any. */
            candidates: components["schemas"]["LanguageScore"][];
        };
        LanguageScore: {
            /** @description ISO 639-1. */
            language: string;
            /** @description What part of the evidence speaks for it. */
            score: number;
        };
        LegalAmount: {
            /** @description The amount as it is written. */
            text: string;
            start: number;
            end: number;
            /** @description A decimal number. */
            amount: string;
            /** @description ISO 4217; null where the text does not tell. */
            currency: string | null;
        };
        LegalAnalysis: {
            /**
             * @description `contract` is one of no special type; null is no legal document.
             * @enum {string|null}
             */
            document_type: "non_disclosure_agreement" | "employment_contract" | "lease" | "loan_agreement" | "license_agreement" | "purchase_agreement" | "partnership_agreement" | "data_processing_agreement" | "service_agreement" | "terms_of_service" | "privacy_policy" | "power_of_attorney" | "will" | "contract" | null;
            parties: components["schemas"]["LegalParty"][];
            /** @description In the order of the text, the first 1,000. */
            clauses: components["schemas"]["LegalClause"][];
            /** @description Clauses that such documents usually have and this one has not; null where the type is not known. */
            missing_clauses: components["schemas"]["LegalClauseType"][] | null;
            /** @description The first 1,000. */
            dates: components["schemas"]["LegalDate"][];
            /** @description The first 1,000. */
            amounts: components["schemas"]["LegalAmount"][];
            governing_law: components["schemas"]["LegalGoverningLaw"];
            disclaimer: components["schemas"]["LegalDisclaimer"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        LegalAnalysisResponse: {
            data: components["schemas"]["LegalAnalysis"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description A sentence that differs. Where a text does not have it, start and end are the place where it would stand. The first 5,000 changes are listed. */
        LegalChange: {
            /** @enum {string} */
            kind: "added" | "removed" | "changed";
            before: string | null;
            after: string | null;
            /** @description In the text before, in UTF-16 code units. */
            before_start: number;
            before_end: number;
            after_start: number;
            after_end: number;
        };
        LegalClause: {
            type: components["schemas"]["LegalClauseType"];
            heading: string | null;
            start: number;
            end: number;
            /**
             * @description Of the embedded engine `low` means that no rule applies.
             * @enum {string}
             */
            risk: "low" | "medium" | "high";
            /** @description By what the clause was found, which rules apply, and to which words. */
            explanation: string;
        };
        /**
         * @description `other` is a clause with a heading of no kind that is known.
         * @enum {string}
         */
        LegalClauseType: "confidentiality" | "data_protection" | "intellectual_property" | "indemnity" | "liability" | "insurance" | "warranty" | "non_compete" | "non_solicitation" | "force_majeure" | "assignment" | "dispute_resolution" | "governing_law" | "renewal" | "probation" | "termination" | "notice" | "entire_agreement" | "amendment" | "severability" | "deposit" | "subletting" | "maintenance" | "use_of_premises" | "working_time" | "leave" | "payment" | "term" | "duties" | "definitions" | "other";
        LegalComparison: {
            /** @description 0 to 1: the share of words in what both texts have; 1 only where nothing differs. */
            similarity: number;
            changes: components["schemas"]["LegalChange"][];
            summary: string;
            disclaimer: components["schemas"]["LegalDisclaimer"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        LegalComparisonResponse: {
            data: components["schemas"]["LegalComparison"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        LegalDate: {
            /** @description The date as it is written. */
            text: string;
            start: number;
            end: number;
            /** @description ISO 8601, as exact as the text is; null where a part is missing. */
            date: string | null;
        };
        LegalDefinition: {
            term: string;
            meaning: string;
            /** @description Where the words begin that hold the term and its meaning. */
            start: number;
            end: number;
        };
        /** @description What the answer is not; always the same sentence. */
        LegalDisclaimer: string;
        LegalFacts: {
            parties: components["schemas"]["LegalParty"][];
            /** @description The first 1,000. */
            dates: components["schemas"]["LegalDate"][];
            /** @description The first 1,000. */
            amounts: components["schemas"]["LegalAmount"][];
            /** @description The first 1,000. */
            obligations: components["schemas"]["LegalObligation"][];
            /** @description The first 1,000. */
            definitions: components["schemas"]["LegalDefinition"][];
            disclaimer: components["schemas"]["LegalDisclaimer"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        LegalFactsResponse: {
            data: components["schemas"]["LegalFacts"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description Null where the text names none. */
        LegalGoverningLaw: {
            law: string;
            /** @description The sentence that says so. */
            text: string;
            start: number;
            end: number;
        } | null;
        LegalObligation: {
            /** @description Who has to; null where the text does not name who. */
            party: string | null;
            /** @description What has to be done or must not be, as the text says it. */
            obligation: string;
            /** @description The words that say by when. */
            deadline: string | null;
            /** @description The deadline in ISO 8601, where it is a date. */
            deadline_date: string | null;
            start: number;
            end: number;
        };
        LegalParty: {
            name: string;
            /** @description What the text calls it by its part in it; null where it names none. */
            role: string | null;
            /** @description The short names that the text gives it. */
            aliases: string[];
            /** @description Where the name begins in the text, in UTF-16 code units. */
            start: number;
            end: number;
        };
        LegalSummary: {
            summary: string;
            /** @description Sentences of the text that say what matters most, in the text's order. */
            key_points: components["schemas"]["QuotedSentence"][];
            disclaimer: components["schemas"]["LegalDisclaimer"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        LegalSummaryResponse: {
            data: components["schemas"]["LegalSummary"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        LoginRequest: {
            /**
             * Format: email
             * @description In any spelling with the same normal form.
             */
            email: string;
            password: string;
        };
        Memory: {
            /** Format: uuid */
            id: string;
            namespace: string;
            key: string;
            value: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Null means never.
             */
            expires_at: string | null;
        };
        MemoryBatch: {
            memories: components["schemas"]["Memory"][];
            /** @description How many items the request had; all of them are stored. */
            count: number;
            /** @description Whether the last ones are left out here, because the JSON of all would exceed 2 MiB. Only a batch that repeats a memory is that large. */
            truncated: boolean;
        };
        MemoryBatchResponse: {
            data: components["schemas"]["MemoryBatch"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        MemoryList: {
            memories: components["schemas"]["Memory"][];
            /** @description How many there are in all. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. The next page then begins at `offset` + `limit`; an item that is larger comes by itself. */
            truncated: boolean;
        };
        MemoryListResponse: {
            data: components["schemas"]["MemoryList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        MemoryResponse: {
            data: components["schemas"]["Memory"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        MemorySearchResponse: {
            data: components["schemas"]["MemorySearchResults"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        MemorySearchResult: {
            memory: components["schemas"]["Memory"];
            /** @description Comparable within one answer; higher is closer. */
            score: number;
        };
        MemorySearchResults: {
            results: components["schemas"]["MemorySearchResult"][];
            /** @description How many results there are here. */
            total: number;
            /** @description Whether the last ones are left out, because the JSON of all would exceed 1 MiB. */
            truncated: boolean;
        };
        MemoryStats: {
            memories: number;
            /** @description The size of all values in UTF-8. */
            bytes: number;
            /** @description Those with the most memories, 1,000 at most. */
            namespaces: components["schemas"]["NamespaceStats"][];
            /**
             * Format: date-time
             * @description When the oldest was created.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description When a memory was last created or replaced.
             */
            newest_at: string | null;
        };
        MemoryStatsResponse: {
            data: components["schemas"]["MemoryStats"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        Model: {
            /** @description What to send as `model`. */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description Unix seconds. */
            created: number;
            /** @description Who serves the model. */
            owned_by: string;
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description Beside these fields the response repeats the parameters of the request. */
        ModelResponse: {
            id: string;
            /** @enum {string} */
            object: "response";
            /** @description Unix seconds. */
            created_at: number;
            /** @description `completed`, `incomplete` or `failed`. */
            status: string;
            error?: {
                [key: string]: unknown;
            } | null;
            incomplete_details?: {
                [key: string]: unknown;
            } | null;
            /** @description The model that answered. */
            model: string;
            output: components["schemas"]["ResponseOutputItem"][];
            usage?: components["schemas"]["ResponseUsage"];
            store?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        NamespaceStats: {
            namespace: string;
            memories: number;
            /** @description The size of its values in UTF-8. */
            bytes: number;
        };
        NewUpgradeRequest: {
            /** @enum {string} */
            requested_tier: "basic" | "pro" | "enterprise";
            reason: string;
            estimated_requests_per_day?: number;
        };
        NotReady: {
            error: string;
            message: string;
            request_id: string;
            /** @enum {string} */
            status: "unavailable";
            /** @description The version of the API. */
            version: string;
            /** Format: date-time */
            timestamp: string;
            checks: components["schemas"]["ReadinessCheck"][];
        };
        OmmAnalysis: {
            results: components["schemas"]["OmmAnalyzedInput"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OmmAnalysisResponse: {
            data: components["schemas"]["OmmAnalysis"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        OmmAnalyzedInput: {
            /** @description Which of the inputs, from 0 on. */
            index: number;
            type: components["schemas"]["OmmFoundType"];
            media_type: string;
            size_bytes: number;
            /** @description Null for an image, and for a document without text, such as a scanned PDF. */
            text: components["schemas"]["OmmTextFacts"] | null;
            image: components["schemas"]["OmmImageFacts"] | null;
            document: components["schemas"]["OmmDocumentFacts"] | null;
        };
        OmmBatch: {
            /** @description In the order of the items. */
            results: components["schemas"]["OmmBatchResult"][];
            succeeded: number;
            failed: number;
            /** @description The sum of the costs of the items, USD. */
            cost: number;
        };
        /** @description What the operation answered instead of a result. */
        OmmBatchError: {
            error: string;
            message: string;
            /** @description The faults of a body that has not the documented form; else empty. */
            details: {
                field: string;
                message: string;
            }[];
        };
        OmmBatchItem: {
            operation: components["schemas"]["OmmBatchOperation"];
            /** @description The body of the operation. */
            body: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        OmmBatchOperation: "process" | "analyze" | "generate" | "transform";
        OmmBatchResponse: {
            data: components["schemas"]["OmmBatch"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        OmmBatchResult: {
            /** @description Which of the items, from 0 on. */
            index: number;
            operation: components["schemas"]["OmmBatchOperation"];
            /** @description The HTTP status that the call would have had. */
            status: number;
            /** @description The `data` that the operation answers with; null where the item failed. */
            data: components["schemas"]["OmmProcessed"] | components["schemas"]["OmmAnalysis"] | components["schemas"]["OmmGenerated"] | components["schemas"]["OmmTransformed"] | null;
            error: components["schemas"]["OmmBatchError"] | null;
            /** @description What the item was charged, USD; 0 where it failed. */
            cost: number;
            /** @description The item's own id, under which its receipt is found. */
            request_id: string;
        };
        /** @description Something that can be asked for, and what answers it now. */
        OmmCapability: {
            operation: components["schemas"]["OmmBatchOperation"];
            /** @description Of `process`; null for other operations. */
            task: components["schemas"]["OmmTask"] | null;
            /** @description Null where no input is needed. */
            input: components["schemas"]["OmmFoundType"] | null;
            /** @description `fields`, or what a generation or transformation gives. */
            output: string;
            /**
             * @description What answers a call that names no model, or what it would need.
             * @enum {string}
             */
            engine: "embedded" | "upstream";
            /** @description The method of the embedded engine; null where a model answers. */
            method: string | null;
            available: boolean;
        };
        /** @description In pixels of the upright picture, before it is resized. */
        OmmCrop: {
            left: number;
            top: number;
            width: number;
            height: number;
        };
        OmmDocumentFacts: {
            /** @description Null for a format without pages. */
            pages: number | null;
            title: string | null;
            /** @description The first 20. */
            tables: components["schemas"]["OmmTable"][];
            tables_total: number;
            /** @description Whether the file has more text or tables than are read. */
            is_cut: boolean;
        };
        OmmEntity: {
            /** @enum {string} */
            type: "person" | "organization" | "location" | "date" | "time" | "duration" | "money" | "percentage" | "email" | "url" | "phone" | "identifier";
            /** @description Word for word. */
            text: string;
            /** @description Where it begins in the text, in UTF-16 code units; null in an image. */
            start: number | null;
            /** @description Where it ends; null in an image. */
            end: number | null;
            /** @description In one form: dates as ISO 8601, money as `USD 1250.00`; null where there is none. */
            value: string | null;
        };
        OmmExifFacts: {
            /** @description 1 to 8, as in EXIF; 1 is upright. */
            orientation: number;
            density_dpi: number | null;
            /** @description ISO 8601 without a zone, by the clock of the camera. */
            taken_at: string | null;
            camera_make: string | null;
            camera_model: string | null;
        };
        /**
         * @description What an input turned out to be.
         * @enum {string}
         */
        OmmFoundType: "text" | "image" | "document";
        OmmGenerated: {
            /** @enum {string} */
            output_type: "text";
            text: string;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OmmGeneratedResponse: {
            data: components["schemas"]["OmmGenerated"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        OmmImageFacts: {
            /** @description In pixels, when it stands upright. */
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp";
            has_alpha: boolean;
            channels: number;
            /** @description The commonest colour, #rrggbb. */
            dominant_color: string;
            /** @description The mean luminance, 0 (black) to 1 (white). */
            brightness: number;
            /** @description How strong its edges are, from 0 on. Below 5 a photo is blurred. */
            sharpness: number;
            /** @description 1 for a picture that does not move. */
            frames: number;
            exif: components["schemas"]["OmmExifFacts"] | null;
        };
        /** @description One input. Exactly one of `content` and `url` is given (422). An address is fetched only once the call is known to be affordable, by https from a public address, without following redirects: at most 10 MiB in 5 seconds, and all addresses of a call together in 10. */
        OmmInput: {
            /**
             * @description `image` is PNG, JPEG or WebP; `document` is PDF, DOCX, HTML, Markdown, CSV, JSON or plain text; `url` is whatever of these the address leads to, told from its bytes.
             * @enum {string}
             */
            type: "text" | "image" | "document" | "url";
            /** @description The text itself where `type` is `text`, at most 400,000 characters; else the file in base64 (RFC 4648, section 4). */
            content?: string;
            /** @description Where the input is fetched from. */
            url?: string;
            /**
             * @description How a text is written; only for an input of type `text`. Absent means plain.
             * @enum {string}
             */
            format?: "plain" | "markdown" | "html";
        };
        /** @description The most tokens that the texts of files and addresses may have together, beside those of inputs of type `text`. So many are reserved where there is such an input; a call whose inputs turn out to have more is refused (422). Name fewer where the balance or a key's limit is small: a 402 says in `affordable_max_input_tokens` how many would fit. */
        OmmInputTokensMax: number;
        /** @description What is worked on. */
        OmmInputs: components["schemas"]["OmmInput"][];
        OmmKeyword: {
            text: string;
            /** @description 0 to 1, the best has 1; null where a model told it. */
            score: number | null;
            /** @description How often it stands in the text; null for an image. */
            count: number | null;
        };
        OmmModel: {
            id: string;
            provider: string;
        };
        OmmModels: {
            capabilities: components["schemas"]["OmmCapability"][];
            engines: {
                /** @description `embedded`, or the name of the upstream. */
                provider: string;
                /** @enum {string} */
                quality: "basic" | "model";
                /** @description As far as is known from earlier calls. */
                available: boolean;
            }[];
            /** @description The models of upstreams that may be named as `model`. Whether one of them sees pictures, its provider says. */
            models: components["schemas"]["OmmModel"][];
        };
        OmmModelsResponse: {
            data: components["schemas"]["OmmModels"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description What the task needs. A parameter of another task is refused (422). */
        OmmParameters: {
            /** @description Of `summarize`: how many sentences at most. 5 if absent. */
            sentences?: number;
            /** @description Of `keywords`: how many at most. 10 if absent. */
            count?: number;
            /** @description Of `classify`, which needs them: what an input may be. */
            labels?: string[];
        };
        OmmProcessed: {
            task: components["schemas"]["OmmTask"];
            results: components["schemas"]["OmmResult"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OmmProcessedResponse: {
            data: components["schemas"]["OmmProcessed"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description All null where the text is not English or has no sentence. */
        OmmReadability: {
            flesch_reading_ease: number | null;
            flesch_kincaid_grade: number | null;
            /** @enum {string|null} */
            reading_level: "very_easy" | "easy" | "standard" | "difficult" | "very_difficult" | null;
        };
        /** @description In pixels. With one side the other follows. */
        OmmResize: {
            width?: number;
            height?: number;
            /**
             * @description How the picture fits where both sides are given.
             * @default inside
             * @enum {string}
             */
            fit: "inside" | "cover" | "contain" | "fill";
        };
        /** @description What was found in one input. Of the fields from `description` on, the one of the task is filled, and the others are null. */
        OmmResult: {
            /** @description Which of the inputs, from 0 on. */
            index: number;
            type: components["schemas"]["OmmFoundType"];
            media_type: string;
            /** @description Whether the file has more text than the 2,000,000 characters that are read. */
            is_cut: boolean;
            /** @description Of `describe`. */
            description: string | null;
            /** @description Of `summarize`. */
            summary: components["schemas"]["OmmSummary"] | null;
            /** @description Of `extract`. At most 2000. */
            entities: components["schemas"]["OmmEntity"][] | null;
            /** @description Of `classify`. */
            label: string | null;
            /** @description Of `keywords`. */
            keywords: components["schemas"]["OmmKeyword"][] | null;
            /** @description Of `ocr`. */
            text: string | null;
        };
        OmmSummary: {
            text: string;
            /** @description The sentences of the input's text that it rests on, word for word; empty for an image. */
            sentences: components["schemas"]["QuotedSentence"][];
        };
        OmmTable: {
            header: string[];
            /** @description The first 100. */
            rows: string[][];
            rows_total: number;
        };
        /** @enum {string} */
        OmmTarget: "text" | "markdown" | "html" | "docx" | "pdf" | "png" | "jpeg" | "webp" | "audio";
        /** @enum {string} */
        OmmTask: "describe" | "summarize" | "extract" | "classify" | "keywords" | "ocr" | "transcribe";
        OmmTextFacts: {
            /** @description ISO 639-1; null where it is not known. */
            language: string | null;
            statistics: components["schemas"]["OmmTextStatistics"];
            readability: components["schemas"]["OmmReadability"];
            /** @description At most 2000. */
            entities: components["schemas"]["OmmEntity"][];
        };
        OmmTextStatistics: {
            /** @description In UTF-16 code units. */
            characters: number;
            words: number;
            sentences: number;
            paragraphs: number;
            average_sentence_words: number;
            average_word_syllables: number;
            reading_time_seconds: number;
        };
        OmmTransformed: {
            /** @description The media type of the input. */
            from: string;
            to: components["schemas"]["OmmTarget"];
            media_type: string;
            /**
             * @description How `content` holds the bytes.
             * @enum {string}
             */
            encoding: "utf-8" | "base64";
            /** @description At most 8 MiB, in base64 where that is the encoding; a result that is larger is refused (422). */
            content: string;
            /** @description Of the result itself. */
            size_bytes: number;
            /** @description The SHA-256 of the result, in hexadecimal. */
            checksum: string;
            /** @description Of a picture, in pixels. */
            width: number | null;
            height: number | null;
            /** @description Whether the file has more text than the 2,000,000 characters that are read. */
            is_cut: boolean;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OmmTransformedResponse: {
            data: components["schemas"]["OmmTransformed"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        OmmVariable: {
            name: string;
            value: string;
        };
        OperationUsage: {
            /** @description The operation's id. */
            operation: string;
            requests: number;
            tokens: number;
            /** @description USD. */
            cost: number;
        };
        /**
         * @description `concision` (wordy phrases), `repetition` (words and sentences that stand twice), `spacing`; and `clarity`, which needs a model of
         *     an upstream (503 without one).
         * @enum {string}
         */
        OptimizationGoal: "concision" | "repetition" | "spacing" | "clarity";
        OptimizationMetrics: {
            before: components["schemas"]["OptimizedTextMetrics"];
            after: components["schemas"]["OptimizedTextMetrics"];
        };
        OptimizeAdvancedRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /**
             * @default [
             *       "concision",
             *       "repetition",
             *       "spacing"
             *     ]
             */
            goals: components["schemas"]["OptimizationGoal"][];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        OptimizeProfessionalRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        OptimizedContent: {
            /** @description The text with all changes. */
            text: string;
            /** @description In order; made in the text that was given they give `text`. */
            changes: components["schemas"]["TextChangeMade"][];
            metrics: components["schemas"]["OptimizationMetrics"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OptimizedContentResponse: {
            data: components["schemas"]["OptimizedContent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        OptimizedText: {
            /** @description The given text with all changes made and nothing else. */
            text: string;
            /** @description In the order of the text, at most 10,000. */
            changes: components["schemas"]["ProfessionalChange"][];
            metrics: {
                before: components["schemas"]["ProfessionalMetrics"];
                after: components["schemas"]["ProfessionalMetrics"];
            };
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        OptimizedTextMetrics: {
            statistics: components["schemas"]["TextCounts"];
            readability: components["schemas"]["TextReadability"];
        };
        OptimizedTextResponse: {
            data: components["schemas"]["OptimizedText"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description A part of any other kind is passed on to the model's provider. */
        OtherContentPart: {
            type: string;
            text?: string | null;
        } & {
            [key: string]: unknown;
        };
        OutlineHeading: {
            title: string;
            level: number;
            start: number;
            end: number;
            /** @description As GitHub writes it, each once. */
            anchor: string;
        };
        OutlineResult: {
            /** @enum {string} */
            type: "outline";
            headings: components["schemas"]["OutlineHeading"][];
        };
        OutputItemAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_item.added";
            output_index: number;
            item: components["schemas"]["ResponseOutputItem"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        OutputItemDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_item.done";
            output_index: number;
            item: components["schemas"]["ResponseOutputItem"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        OutputTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_text.delta";
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
            logprobs?: {
                [key: string]: unknown;
            }[];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        OutputTextDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.output_text.done";
            item_id: string;
            output_index: number;
            content_index: number;
            text: string;
            logprobs?: {
                [key: string]: unknown;
            }[];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        OutputTextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output_text";
            text: string;
            annotations?: {
                [key: string]: unknown;
            }[];
            logprobs?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        PasswordChanged: {
            message: string;
        };
        Payment: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            payment_id: string;
            /** Format: uuid */
            user_id: string;
            /** @description What was asked for. */
            amount_usd: number;
            currency: components["schemas"]["PaymentCurrency"];
            /** @description Pay on this network only: `main`, a test network, or `sandbox`. */
            network: string;
            /** @description What is to be paid, in the currency. */
            amount_crypto: number;
            /** @description The same, exactly, as a decimal number. */
            amount_crypto_text: string;
            /** @description Where it is to be paid to. */
            address: string;
            /** @description What a transfer to this address has to carry (Solana Pay); null where the address is the payment's own. */
            reference: string | null;
            /** @description For wallets: BIP 21, EIP-681 or Solana Pay. */
            payment_uri: string;
            /** @description The path of the URI's QR code. */
            qr_path: string;
            /** @description The locked price of one coin, USD. */
            rate: number;
            price_sources: components["schemas"]["PaymentPriceSource"][];
            status: components["schemas"]["PaymentStatus"];
            /** @description Why it failed, as a sentence. */
            failure_reason: string | null;
            /** @description Of the transfer that has the fewest. */
            confirmations: number;
            /** @description With how many it is credited; more where more arrives than was asked for. */
            required_confirmations: number;
            /** @description The newest transfer's transaction. */
            tx_hash: string | null;
            /** @description What has arrived or is on its way, in the currency. */
            received_crypto: number;
            /** @description The same, exactly. */
            received_crypto_text: string;
            /** @description What was added to the balance. */
            credited_usd: number;
            /** @description Whether it was credited with less than was asked for. */
            underpaid: boolean;
            /** @description Whether more arrived than was asked for. */
            overpaid: boolean;
            /** @description Whether something was first seen after `expires_at`. */
            late: boolean;
            transfers: components["schemas"]["PaymentTransfer"][];
            /**
             * Format: date-time
             * @description When a transfer was first seen.
             */
            detected_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            confirmed_at: string | null;
        };
        PaymentConfirmedData: {
            /** Format: uuid */
            payment_id: string;
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description What the payment adds to the balance. */
            amount_usd: number;
            /** @enum {string} */
            currency: "BTC" | "ETH" | "SOL";
            /** @description What is to be paid, in the currency. */
            amount_crypto: number;
            /** @description The transaction on the blockchain; null where it can not be told, as where a contract sent the coins. */
            tx_hash: string | null;
            confirmations: number;
            /** @description USD, before. */
            previous_balance: number;
            /** @description USD, after. */
            new_balance: number;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        PaymentConfirmedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "payment.confirmed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PaymentConfirmedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        PaymentConfirmingData: {
            /** Format: uuid */
            payment_id: string;
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description What the payment adds to the balance. */
            amount_usd: number;
            /** @enum {string} */
            currency: "BTC" | "ETH" | "SOL";
            /** @description What is to be paid, in the currency. */
            amount_crypto: number;
            /** @description The transaction on the blockchain; null where it can not be told, as where a contract sent the coins. */
            tx_hash: string | null;
            confirmations: number;
            /** @description With how many the payment is confirmed. */
            required_confirmations: number;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        PaymentConfirmingEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "payment.confirming";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PaymentConfirmingData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        PaymentCreatedData: {
            /** Format: uuid */
            payment_id: string;
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description What the payment adds to the balance. */
            amount_usd: number;
            /** @enum {string} */
            currency: "BTC" | "ETH" | "SOL";
            /** @description What is to be paid, in the currency. */
            amount_crypto: number;
            /** @description Where it is to be paid to. */
            address: string;
            /** @description What a transfer to this address has to carry (Solana Pay); null where the address is the payment's own. */
            reference: string | null;
            /** Format: date-time */
            expires_at: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        PaymentCreatedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "payment.created";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PaymentCreatedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        /**
         * @description A cryptocurrency.
         * @enum {string}
         */
        PaymentCurrency: "BTC" | "ETH" | "SOL";
        PaymentExpiredData: {
            /** Format: uuid */
            payment_id: string;
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description What the payment adds to the balance. */
            amount_usd: number;
            /** @enum {string} */
            currency: "BTC" | "ETH" | "SOL";
            /** Format: date-time */
            expires_at: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        PaymentExpiredEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "payment.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PaymentExpiredData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        PaymentFailedData: {
            /** Format: uuid */
            payment_id: string;
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** @description What the payment adds to the balance. */
            amount_usd: number;
            /** @enum {string} */
            currency: "BTC" | "ETH" | "SOL";
            /** @description Why it failed, as a sentence. */
            reason: string;
            /** @description Null where no transaction was seen. */
            tx_hash: string | null;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        PaymentFailedEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "payment.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PaymentFailedData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        PaymentList: {
            payments: components["schemas"]["Payment"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        PaymentMethod: {
            currency: components["schemas"]["PaymentCurrency"];
            name: string;
            /** @description The network to pay on, such as `main`; null while it is not known. */
            network: string | null;
            /** @description Whether payments are played and cost nothing. */
            is_sandbox: boolean;
            minimum_usd: number;
            maximum_usd: number;
            confirmations: components["schemas"]["RequiredConfirmations"][];
            /** @description For how long a price is locked. */
            expiry_minutes: number;
            /** @description Whether a payment can be created right now. */
            available: boolean;
            /** @description Why not, as a sentence. */
            unavailable_reason: string | null;
            /** @description The present price of one coin, USD. */
            rate: number | null;
        };
        PaymentMethodList: {
            methods: components["schemas"]["PaymentMethod"][];
        };
        PaymentPriceSource: {
            name: string;
            /** @description USD. */
            rate: number;
            /** Format: date-time */
            taken_at: string;
        };
        PaymentRequiredError: {
            /** @enum {string} */
            error: "Insufficient credits" | "Spending limit exceeded";
            message: string;
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description USD that the call reserves at most. */
            required: number;
            /** @description USD that the balance or the limit still allows. */
            available: number;
            /** @enum {string} */
            limit_type?: "per_request" | "daily" | "monthly";
            /** @description The limit, USD. */
            limit?: number;
            /** @description What is spent of the limit, calls in flight included, USD. */
            spent?: number;
            /** Format: date-time */
            resets_at?: string | null;
            /** @description The largest max_tokens with which this call would fit. */
            affordable_max_tokens?: number;
            /** @description Of calls that bring files, the largest max_input_tokens with which this one would fit. */
            affordable_max_input_tokens?: number;
        };
        PaymentReview: {
            /** @description Whether a person has to look at the payment. */
            needed: boolean;
            /** @description Why, as a sentence; of the last review where none is needed. */
            reason: string | null;
            /** Format: date-time */
            since: string | null;
            /**
             * Format: date-time
             * @description When the last review ended.
             */
            resolved_at: string | null;
            /**
             * Format: uuid
             * @description The admin who ended it.
             */
            resolved_by: string | null;
            /** @description What was decided. */
            note: string | null;
        };
        /**
         * @description `created`: nothing is in a block yet. `confirming`: something is, and needs more confirmations or is not all. `confirmed`: credits were added. `failed`: what was sent is void. `expired`: nothing came in time; what comes later is still credited.
         * @enum {string}
         */
        PaymentStatus: "created" | "confirming" | "confirmed" | "failed" | "expired";
        PaymentTransfer: {
            /** @description Null where it can not be told, as where a contract sent the coins. */
            tx_hash: string | null;
            amount_crypto: number;
            amount_crypto_text: string;
            /**
             * @description `pending`: in no block yet. `included`: in a block. `missing`: gone for now. `replaced`: another transaction took its place. `failed`: it moved nothing.
             * @enum {string}
             */
            state: "pending" | "included" | "missing" | "replaced" | "failed";
            confirmations: number;
            /** @description Whether it was first seen after `expires_at`. */
            late: boolean;
            /** @description What it added to the balance. */
            credited_usd: number;
            /** @description The transaction that added it. */
            transaction_id: string | null;
            /** Format: date-time */
            first_seen_at: string;
        };
        /** @description What a decision about the payment stands on: another one as soon as its status, what was credited, its transfers or its review changes, and the same while only blocks are counted. `resolvePayment` takes that of the payment which was looked at. */
        PaymentVersion: string;
        Price: {
            name: string;
            title: string;
            /** @description The model whose answers have this price; null for what holds where a model has no price of its own. */
            model: string | null;
            /** @description USD a call. */
            base: number;
            /** @description USD a token; null where tokens are free. */
            per_token: number | null;
            /** @description USD for a token of the output; null where it costs what `per_token` says, or nothing. */
            per_output_token: number | null;
            /**
             * @description Which tokens are paid for; null where none are.
             * @enum {string|null}
             */
            counts: "input" | "input_and_output" | null;
            /** @description The ids of the operations that have this price. */
            operations: string[];
        };
        PriceCost: {
            /** @description The price's name. */
            price: string;
            requests: number;
            /** @description USD. */
            cost: number;
        };
        PriceList: {
            /** @description Changes whenever a price does; receipts name it. */
            version: string;
            /** @enum {string} */
            currency: "USD";
            prices: components["schemas"]["Price"][];
        };
        ProcessAdvancedRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            processing_type: components["schemas"]["ProcessingType"];
            parameters?: components["schemas"]["ProcessingParameters"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        ProcessInputsRequest: {
            inputs: components["schemas"]["OmmInputs"];
            task: components["schemas"]["OmmTask"];
            parameters?: components["schemas"]["OmmParameters"];
            /** @default 20000 */
            max_input_tokens: components["schemas"]["OmmInputTokensMax"];
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        ProcessedContent: {
            processing_type: components["schemas"]["ProcessingType"];
            result: components["schemas"]["ProcessingResult"];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ProcessedContentResponse: {
            data: components["schemas"]["ProcessedContent"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProcessingLabel: {
            name: string;
            /**
             * @description Texts or words that belong to the label. The embedded engine knows a label by its name and these only.
             * @default []
             */
            examples: string[];
        };
        ProcessingParameters: {
            /** @description summarize: the most sentences, 5 unless given. */
            sentences?: number | null;
            /** @description keywords: the most, 20 unless given. */
            keywords_max?: number | null;
            /** @description entities: which kinds; all unless given. */
            entity_types?: components["schemas"]["EntityType"][] | null;
            /** @description classify: what the text may be; each name once. */
            labels?: components["schemas"]["ProcessingLabel"][] | null;
            /** @description outline: the deepest level, 6 unless given. */
            level_max?: number | null;
            /** @description translate: into which language, BCP 47, such as `de` or `pt-BR`. */
            target_language?: string | null;
            /** @description translate: from which language; what the text is in unless given. */
            source_language?: string | null;
            /**
             * @description rewrite: how it shall sound.
             * @enum {string|null}
             */
            style?: "formal" | "neutral" | "informal" | "friendly" | "simple" | null;
            /**
             * @description rewrite: how long it shall be.
             * @enum {string|null}
             */
            length?: "shorter" | "same" | "longer" | null;
            /** @description rewrite: anything else that is wanted. */
            instruction?: string | null;
        };
        /** @description What was found or written; `type` is the `processing_type` of the request. */
        ProcessingResult: components["schemas"]["SummarizeResult"] | components["schemas"]["KeywordsResult"] | components["schemas"]["EntitiesResult"] | components["schemas"]["ClassifyResult"] | components["schemas"]["SentimentResult"] | components["schemas"]["LanguageResult"] | components["schemas"]["ReadabilityResult"] | components["schemas"]["StatisticsResult"] | components["schemas"]["OutlineResult"] | components["schemas"]["TablesResult"] | components["schemas"]["KeyValuesResult"] | components["schemas"]["TranslateResult"] | components["schemas"]["RewriteResult"];
        /**
         * @description What is done with the text. The fields of `parameters` that each type has stand in brackets; another type's field is 422.
         *
         *     Found by the embedded engine, or by a model of an upstream where one is configured: `summarize` (sentences), `keywords`
         *     (keywords_max), `entities` (entity_types), `classify` (labels, required), `sentiment` (none; without an upstream in English
         *     only). Always found by rules: `language`, `readability`, `statistics`, `tables`, `key_values` (none), `outline` (level_max).
         *     Written by a model of an upstream, and 503 without one: `translate` (target_language, required; source_language), `rewrite`
         *     (style, length, instruction; at least one).
         * @enum {string}
         */
        ProcessingType: "summarize" | "keywords" | "entities" | "classify" | "sentiment" | "language" | "readability" | "statistics" | "outline" | "tables" | "key_values" | "translate" | "rewrite";
        ProfessionalAnalysis: {
            readability: components["schemas"]["ProfessionalMetrics"];
            tone: components["schemas"]["ProfessionalTone"];
            /** @description The headings, the first 1,000. */
            structure: components["schemas"]["ProfessionalHeading"][];
            /** @description In the order of the text, the first 1,000. */
            issues: components["schemas"]["ProfessionalIssue"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ProfessionalAnalysisResponse: {
            data: components["schemas"]["ProfessionalAnalysis"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProfessionalChange: {
            /** @description Where the words stood in the text that was given, in UTF-16 code units. */
            start: number;
            end: number;
            before: string;
            /** @description Empty where the words were left out. */
            after: string;
            reason: string;
        };
        ProfessionalDocument: {
            title: string;
            sections: components["schemas"]["ProfessionalSection"][];
            /** @description The whole document as Markdown: the title and all sections. */
            text: string;
            /** @description The places of the text in square brackets, which only the writer can fill in. */
            to_fill_in: components["schemas"]["QuotedSentence"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ProfessionalDocumentResponse: {
            data: components["schemas"]["ProfessionalDocument"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ProfessionalHeading: {
            title: string;
            level: number;
            start: number;
            end: number;
        };
        ProfessionalIssue: {
            /** @enum {string} */
            type: "long_sentence" | "passive_voice" | "wordy_phrase" | "repeated_word" | "weasel_word" | "adverb" | "cliche" | "duplicate_sentence" | "spacing" | "unclear" | "grammar" | "other";
            /** @description Where it begins in the text, in UTF-16 code units. */
            start: number;
            end: number;
            /** @description The words of the text. */
            before: string;
            /** @description What may stand there; null where the writer has to decide. */
            after: string | null;
            reason: string;
        };
        /** @description Flesch's measures and the level are for English; they are null for other languages and texts without a sentence. */
        ProfessionalMetrics: {
            /** @description In UTF-16 code units. */
            characters: number;
            words: number;
            sentences: number;
            paragraphs: number;
            average_sentence_words: number;
            average_word_syllables: number;
            reading_time_seconds: number;
            /** @description Mostly 0 to 100; the higher, the easier. */
            flesch_reading_ease: number | null;
            flesch_kincaid_grade: number | null;
            /** @enum {string|null} */
            reading_level: "very_easy" | "easy" | "standard" | "difficult" | "very_difficult" | null;
        };
        ProfessionalSection: {
            heading: string;
            text: string;
        };
        /** @description Null where the embedded engine reads a text that is not English. */
        ProfessionalTone: {
            /** @enum {string} */
            formality: "informal" | "neutral" | "formal";
            /** @enum {string} */
            sentiment: "negative" | "neutral" | "positive";
            /** @description What the tone was read from. */
            signals: string[];
        } | null;
        PromptPart: string | number | number[];
        /** @description A memory has to meet every filter that is given; none means all memories. */
        QueryMemoriesRequest: {
            /** @description Absent means all namespaces. */
            namespace?: string;
            keys?: string[];
            key_prefix?: string;
            /** @description Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @default 20 */
            limit: number;
            /** @default 0 */
            offset: number;
            /**
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "updated_at" | "key";
            /**
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only memories that were created at or after this time; a date alone is the midnight UTC that begins it.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only memories that were created before this time; a date alone includes that day.
             */
            end_date?: string;
        };
        /** @description A sentence of the text, word for word. */
        QuotedSentence: {
            text: string;
            /** @description Where it begins in the text, in UTF-16 code units. */
            start: number;
            /** @description Where it ends. */
            end: number;
        };
        RagAnswer: {
            /** @description What was retrieved. */
            results: components["schemas"]["RagChunk"][];
            /** @description How many results there are here. */
            total: number;
            answer: string;
            /** @description Whether the documents answer the question. */
            found: boolean;
            citations: components["schemas"]["RagCitation"][];
            /** @description The model that answered; null where nothing was retrieved, so that none was asked. */
            model: string | null;
            /** @description `length` where `max_tokens` cut it off. */
            finish_reason: string | null;
            usage: components["schemas"]["AgentUsage"];
        };
        RagAnswerResponse: {
            data: components["schemas"]["RagAnswer"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RagChunk: {
            /** Format: uuid */
            chunk_id: string;
            document_id: string;
            collection: string;
            /** @description Between 0 and 1; higher fits better. With the method `bm25`, 1 is what a chunk of average length has that holds every word of the query once, rare words weighing more, and what a better one has too; the order tells these apart. So it can be compared between queries roughly. With `bm25+vectors` it says how high the chunk stands in the rankings by words and by meaning: 1 for the first of both, 0.5 for the first of one that is not in the other. */
            score: number;
            /** @description The content of the document from `start` to `end`. */
            text: string;
            /** @description Where the chunk begins in the content, in UTF-16 code units. */
            start: number;
            /** @description Where it ends, in UTF-16 code units. */
            end: number;
            /** @description The heading that the chunk stands under; null without one. */
            heading: string | null;
            /** @description Those of the document. */
            metadata: {
                [key: string]: unknown;
            };
        };
        RagCitation: {
            /** @description The number that stands in the answer, as `[1]`. Where a model of an upstream answers, it is the place of the chunk in `results`, counted from 1; each number is cited once. Numbers without such a chunk stay in the answer and have no citation. The embedded engine numbers its quotes. */
            index: number;
            document_id: string;
            /** Format: uuid */
            chunk_id: string;
            /** @description The content of the document from `start` to `end`, exactly: the sentence that the embedded engine quotes, or that of the chunk which is closest to what a model says there. */
            quote: string;
            /** @description Where the quote begins in the content, in UTF-16 code units. */
            start: number;
            /** @description Where it ends, in UTF-16 code units. */
            end: number;
        };
        RagCollection: string;
        RagCollectionStats: {
            collection: string;
            documents: number;
            chunks: number;
        };
        RagDeltaEvent: {
            /** @enum {string} */
            type: "delta";
            /** @description What the answer goes on with. */
            text: string;
        };
        RagDocument: {
            document_id: string;
            collection: string;
            chunks: number;
            tokens: number;
            /** @description The size of the content in UTF-8. */
            bytes: number;
            /** @description The language of the content as ISO 639-1; null where it is not known. */
            language: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            content: string;
        };
        RagDocumentEntry: {
            document_id: string;
            collection: string;
            chunks: number;
            tokens: number;
            /** @description The size of the content in UTF-8. */
            bytes: number;
            /** @description The language of the content as ISO 639-1; null where it is not known. */
            language: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        RagDocumentId: string;
        RagDocumentList: {
            documents: components["schemas"]["RagDocumentEntry"][];
            /** @description How many there are in all. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. The next page then begins at `offset` + `limit`; an item that is larger comes by itself. */
            truncated: boolean;
        };
        RagDocumentListResponse: {
            data: components["schemas"]["RagDocumentList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RagDocumentResponse: {
            data: components["schemas"]["RagDocument"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RagDoneEvent: {
            /** @enum {string} */
            type: "done";
            data: components["schemas"]["RagAnswer"];
            /** @description What this call cost, USD. */
            cost: number;
        };
        /** @description The data of one event. A stream ends with the data `[DONE]`, one that broke off with an error. */
        RagEvent: components["schemas"]["RagStartEvent"] | components["schemas"]["RagDeltaEvent"] | components["schemas"]["RagDoneEvent"] | components["schemas"]["StreamError"];
        /** @description Only documents whose metadata contains all of this: at most 256 values and 16 KiB. */
        RagFilter: {
            [key: string]: unknown;
        };
        /** @description Chunks with a smaller score are left out; absent means none is. What a score says depends on the method, see `score`. */
        RagMinScore: number;
        RagRetrieval: {
            results: components["schemas"]["RagChunk"][];
            /** @description How many results there are here. */
            total: number;
        };
        RagRetrievalResponse: {
            data: components["schemas"]["RagRetrieval"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RagStartEvent: {
            /** @enum {string} */
            type: "start";
            data: components["schemas"]["RagRetrieval"];
        };
        RagStats: {
            documents: number;
            chunks: number;
            tokens: number;
            /** @description The size of all contents in UTF-8. */
            bytes: number;
            /** @description Those with the most documents, 1,000 at most. */
            collections: components["schemas"]["RagCollectionStats"][];
            /**
             * Format: date-time
             * @description When the oldest document was created.
             */
            oldest_at: string | null;
            /**
             * Format: date-time
             * @description When one was last created or replaced.
             */
            newest_at: string | null;
        };
        RagStatsResponse: {
            data: components["schemas"]["RagStats"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        RateLimitError: {
            error: string;
            message: string;
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Seconds to wait. */
            retry_after: number;
            /** @description Calls allowed in the window that refused this one. */
            limit: number;
            /** @description That window's length: `second`, `minute`, `hour` or `day`, or for any other its seconds, as in `900s`. A rate that is no whole number is counted over several seconds, minutes, hours or days: 0.2 calls a second as 1 in `5s`. */
            window: string;
        };
        RateLimitExceededData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /**
             * Format: uuid
             * @description Null for a call with an account token.
             */
            access_key_id: string | null;
            /** @description As in the answer of 429: `second`, `minute`, `hour`, `day` or seconds, `5s`. */
            window: string;
            /** @description Calls that the window allows. */
            limit: number;
            /** @description Seconds until a call would be allowed again. */
            retry_after: number;
            /** @description The route of the refused call. */
            request_route: string | null;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        RateLimitExceededEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "rate_limit.exceeded";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["RateLimitExceededData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        /** @description The rates of the tier, or the own ones; null means no limit. */
        RatesInForce: {
            requests_per_second: number | null;
            requests_per_minute: number | null;
            requests_per_hour: number | null;
            requests_per_day: number | null;
        };
        ReadabilityResult: {
            /** @enum {string} */
            type: "readability";
            readability: components["schemas"]["TextReadability"];
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            /** @description The version of the API. */
            version: string;
            /** Format: date-time */
            timestamp: string;
            checks: components["schemas"]["ReadinessCheck"][];
        };
        ReadinessCheck: {
            /** @description What was checked. */
            name: string;
            /** @enum {string} */
            status: "ok" | "unavailable";
            /** @description Why it is unavailable. */
            detail?: string;
        };
        ReasoningTextDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_text.delta";
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ReasoningTextDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.reasoning_text.done";
            item_id: string;
            output_index: number;
            content_index: number;
            text: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ReasoningTextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning_text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        Receipt: {
            /** @description The call's id, which no other call has. */
            request_id: string;
            /** @description The X-Request-Id that the caller sent; null where it sent none of the allowed form. */
            client_request_id: string | null;
            /** @description The operation's id. */
            operation: string;
            /**
             * Format: uuid
             * @description Null for a call made with an account token.
             */
            key_id: string | null;
            /** @description The HTTP status; null while the call is in flight, 499 where the caller went away before the answer. */
            status: number | null;
            /**
             * @description `settled` was charged, `released` failed and was not, `refused` never began, `expired` was cut off and its reservation given back.
             * @enum {string}
             */
            outcome: "in_flight" | "settled" | "released" | "refused" | "expired";
            /** @description The price's name; null for a free call. */
            price: string | null;
            price_version: string | null;
            input_tokens: number;
            output_tokens: number;
            /** @description USD held before the work began. */
            reserved: number;
            /** @description USD that the call cost. */
            charged: number;
            /** @description USD that went back to the balance; 0 where more was charged than reserved. */
            released: number;
            latency_ms: number | null;
            /**
             * Format: uuid
             * @description Null where nothing was charged.
             */
            transaction_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        Reconciliation: {
            /** @description How many accounts were compared. */
            accounts: number;
            /** @description The sum of all balances. */
            balance_usd: number;
            /** @description The sum of all transactions. */
            ledger_usd: number;
            /** @description Balance less ledger; anything but 0 is a fault. */
            difference_usd: number;
            /** @description Calls whose settlement is still to come. */
            open_reservations: number;
            /** @description The accounts whose balance is not the sum of their transactions. */
            mismatches: components["schemas"]["ReconciliationMismatch"][];
            /** Format: date-time */
            checked_at: string;
        };
        ReconciliationMismatch: {
            /** Format: uuid */
            user_id: string;
            balance_usd: number;
            ledger_usd: number;
            difference_usd: number;
        };
        RefusalDeltaEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.refusal.delta";
            item_id: string;
            output_index: number;
            content_index: number;
            delta: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        RefusalDoneEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.refusal.done";
            item_id: string;
            output_index: number;
            content_index: number;
            refusal: string;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        RefusalPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refusal";
            refusal: string;
        } & {
            [key: string]: unknown;
        };
        RegisterRequest: {
            /**
             * Format: email
             * @description Stored, shown and compared in its normal form: Unicode NFKC in lower case. That form must be an address too. Characters that nobody sees are refused, and so are words with letters of several scripts, such as Latin and Cyrillic.
             */
            email: string;
            /** @description At least 8 characters; 12 or more are recommended. */
            password: string;
            /**
             * Format: username
             * @description Letters and digits of any script, dots, hyphens and underscores. It is stored in Unicode's form NFKC, and two accounts can't have names that differ in case alone. The letters of a word must be of one script; those of Chinese, Japanese and Korean, and Latin ones beside them, go together.
             */
            username: string;
        };
        RejectUpgradeRequest: {
            /** @description Why. */
            note: string;
        };
        ReplayDeliveriesRequest: {
            /**
             * Format: date-or-date-time
             * @description Deliveries that failed at or after this time, ISO 8601. A date alone is the midnight UTC with which the day begins; without a zone a time is UTC.
             */
            since: string;
        };
        ReplayedDeliveries: {
            /** @description For how many deliveries an attempt is now due. */
            replayed: number;
        };
        RequiredConfirmations: {
            /** @description Null for every larger amount. */
            up_to_usd: number | null;
            /** @description 64 of Ethereum and 32 of Solana mean that the chain calls it final. */
            confirmations: number;
        };
        ResearchScholarRequest: {
            question: string;
            /** @description Absent means all collections. */
            collection?: components["schemas"]["RagCollection"];
            filter?: components["schemas"]["RagFilter"];
            min_score?: components["schemas"]["RagMinScore"];
            /**
             * @description How many chunks are read at most.
             * @default 8
             */
            top_k: number;
            /**
             * @description How many findings at most.
             * @default 5
             */
            findings: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        ResolvePaymentRequest: {
            /** @description What was decided; shown in the transaction. */
            note: string;
            expected_version: components["schemas"]["PaymentVersion"];
            /**
             * @description By how much the balance is changed, in USD; negative takes credits.
             * @default 0
             */
            adjust_usd: number;
        };
        ResponseCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.completed";
            response: components["schemas"]["ModelResponse"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ResponseContentPart: components["schemas"]["KnownResponseContentPart"] | components["schemas"]["OtherContentPart"];
        ResponseCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.created";
            response: components["schemas"]["ModelResponse"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ResponseErrorEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            code?: string | null;
            message: string;
            param?: string | null;
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The data of one event, which is also named by its `type`. The last is `response.completed`, `response.incomplete`, `response.failed` or `error`. A model's provider may send kinds that are not listed here. */
        ResponseEvent: components["schemas"]["ResponseCreatedEvent"] | components["schemas"]["ResponseInProgressEvent"] | components["schemas"]["OutputItemAddedEvent"] | components["schemas"]["OutputItemDoneEvent"] | components["schemas"]["ContentPartAddedEvent"] | components["schemas"]["ContentPartDoneEvent"] | components["schemas"]["OutputTextDeltaEvent"] | components["schemas"]["OutputTextDoneEvent"] | components["schemas"]["RefusalDeltaEvent"] | components["schemas"]["RefusalDoneEvent"] | components["schemas"]["ReasoningTextDeltaEvent"] | components["schemas"]["ReasoningTextDoneEvent"] | components["schemas"]["FunctionCallArgumentsDeltaEvent"] | components["schemas"]["FunctionCallArgumentsDoneEvent"] | components["schemas"]["ResponseCompletedEvent"] | components["schemas"]["ResponseIncompleteEvent"] | components["schemas"]["ResponseFailedEvent"] | components["schemas"]["ResponseErrorEvent"];
        ResponseFailedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.failed";
            response: components["schemas"]["ModelResponse"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ResponseFormat: ({
            /** @enum {string} */
            type: "text" | "json_object" | "json_schema";
        } & {
            [key: string]: unknown;
        }) | null;
        ResponseInProgressEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.in_progress";
            response: components["schemas"]["ModelResponse"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        ResponseIncompleteEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "response.incomplete";
            response: components["schemas"]["ModelResponse"];
            /** @description Counts the events of the stream, from 0. */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A message (`role` and `content`), a `function_call`, a `function_call_output`, or an item that an earlier response gave as its output. */
        ResponseInputItem: {
            /** @description Null or absent means `message`. */
            type?: string | null;
            /** @enum {string} */
            role?: "developer" | "system" | "user" | "assistant";
            content?: string | components["schemas"]["ResponseContentPart"][] | null;
            call_id?: string | null;
            name?: string | null;
            arguments?: string | {
                [key: string]: unknown;
            } | null;
            output?: string | {
                [key: string]: unknown;
            }[] | {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ResponseMetadata: {
            /** @description The call's id; its receipt is found under it. */
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description What this call cost, USD. */
            cost: number;
            engine?: components["schemas"]["Engine"];
        };
        /** @description A `message`, a `function_call`, a `reasoning` or what else the model's provider gives. */
        ResponseOutputItem: {
            type: string;
            id?: string;
            status?: string;
            role?: string;
            content?: {
                [key: string]: unknown;
            }[] | null;
            call_id?: string;
            name?: string;
            arguments?: string;
        } & {
            [key: string]: unknown;
        };
        ResponseOutputPart: components["schemas"]["OutputTextPart"] | components["schemas"]["RefusalPart"] | components["schemas"]["ReasoningTextPart"];
        ResponseReasoning: ({
            effort?: string | null;
        } & {
            [key: string]: unknown;
        }) | null;
        ResponseText: ({
            format?: components["schemas"]["ResponseTextFormat"];
        } & {
            [key: string]: unknown;
        }) | null;
        ResponseTextFormat: ({
            /** @description `text`, `json_schema` or `json_object`. */
            type: string;
        } & {
            [key: string]: unknown;
        }) | null;
        /** @description Tokens as the model's provider counts them; what was paid for is in `X-Tokens-Used`. */
        ResponseUsage: ({
            input_tokens: number;
            output_tokens: number;
            total_tokens: number;
        } & {
            [key: string]: unknown;
        }) | null;
        RetrieveRagChunksRequest: {
            /** @description Its first 64 words count. */
            query: string;
            /**
             * @description How many chunks at most.
             * @default 5
             */
            top_k: number;
            /** @description Absent means all collections. */
            collection?: components["schemas"]["RagCollection"];
            filter?: components["schemas"]["RagFilter"];
            min_score?: components["schemas"]["RagMinScore"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        RewriteResult: {
            /** @enum {string} */
            type: "rewrite";
            text: string;
        };
        RotateKeyRequest: {
            /**
             * @description How long the old secret stays valid beside the new one; 0 ends it and all older ones at once.
             * @default 0
             */
            overlap_seconds: number;
        };
        RotateWebhookSecretRequest: {
            /**
             * @description For how long deliveries are signed with the old secret as well; 0 ends it at once.
             * @default 0
             */
            overlap_seconds: number;
            /** @description The key of the signatures, as it is written. After `whsec_` it must go on with the base64 of 24 to 64 bytes, because libraries for Standard Webhooks decode that part. Generated when absent. */
            secret?: string;
        };
        RunOmmBatchRequest: {
            items: components["schemas"]["OmmBatchItem"][];
        };
        ScholarAnalysis: {
            /** @description 1,000 at most. */
            sections: components["schemas"]["ScholarSection"][];
            /** @description 2,000 at most. */
            references: components["schemas"]["ScholarReference"][];
            citations: components["schemas"]["ScholarCitationCounts"];
            /** @description 2,000 at most. */
            statistics: components["schemas"]["ScholarStatistic"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ScholarAnalysisResponse: {
            data: components["schemas"]["ScholarAnalysis"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ScholarBibliographyEntry: {
            /** @description From 1, in the order in which the findings cite. */
            index: number;
            document_id: string;
            collection: string;
            /** @description The `title` of the document's metadata; null without one. */
            title: string | null;
            /** @description Those of the document. */
            metadata: {
                [key: string]: unknown;
            };
        };
        ScholarCitation: {
            /** @description The reference, without italics; the entry for `bibtex` and `ris`. */
            text: string;
            /** @description The reference with `<i>`; null for `bibtex` and `ris`. */
            html: string | null;
            in_text: components["schemas"]["ScholarInText"];
            /** @description The key of a BibTeX entry. */
            key: string | null;
        };
        ScholarCitationCounts: {
            /** @description How many places cite, 5,000 at most. */
            total: number;
            numeric: number;
            author_year: number;
            places: components["schemas"]["ScholarCitationPlace"][];
            /** @description What the places cite that is no reference, each once. */
            unmatched: string[];
            /** @description The `index` of each reference that nothing cites. */
            uncited: number[];
        };
        ScholarCitationPlace: {
            /** @enum {string} */
            kind: "numeric" | "author_year";
            text: string;
            start: number;
            end: number;
            /** @description The `index` of each reference that it cites. */
            references: number[];
            /** @description What it cites that is no reference, as `[9]` or `Smith, 2020`. */
            unmatched: string[];
        };
        ScholarCitations: {
            style: string;
            /** @description In the order of the sources. */
            citations: components["schemas"]["ScholarCitation"][];
            /** @description All references, a line for each, in the order of the style; for `bibtex` and `ris` a whole file. */
            bibliography: string;
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ScholarCitationsResponse: {
            data: components["schemas"]["ScholarCitations"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ScholarFinding: {
            /** @description A statement, with `[n]` behind what it rests on. */
            text: string;
            citations: components["schemas"]["ScholarFindingCitation"][];
        };
        ScholarFindingCitation: {
            /** @description The number that stands in the finding, as `[1]`, and in the bibliography. */
            index: number;
            document_id: string;
            /** Format: uuid */
            chunk_id: string;
            /** @description The content of the document from `start` to `end`, exactly. */
            quote: string;
            /** @description Where the quote begins in the content, in UTF-16 code units. */
            start: number;
            /** @description Where it ends. */
            end: number;
        };
        /** @description How the text cites the source; null for `ris`. */
        ScholarInText: {
            /** @description Such as (Smith, 2020). */
            parenthetical: string;
            /** @description Such as Smith (2020). */
            narrative: string;
        } | null;
        ScholarReference: {
            /** @description Its place among the references, from 0. */
            index: number;
            /** @description The number in front of it. */
            number: number | null;
            /** @description The text from `start` to `end`. */
            raw: string;
            /** @description As they stand in the reference. */
            authors: string[];
            /** @description With its letter, such as 2020a. */
            year: string | null;
            title: string | null;
            doi: string | null;
            /** @description An address that is not that of the DOI. */
            url: string | null;
            /** @description How many places of the text cite it. */
            citations: number;
            start: number;
            end: number;
        };
        ScholarResearch: {
            /** @description Whether the documents answer the question. */
            found: boolean;
            findings: components["schemas"]["ScholarFinding"][];
            /** @description The documents that the findings cite. */
            bibliography: components["schemas"]["ScholarBibliographyEntry"][];
            /** @description How many chunks were read. */
            retrieved: number;
            /** @description What answered; null where nothing was found to read, so that nobody was asked. */
            model: string | null;
            usage: components["schemas"]["AnswerUsage"];
        };
        ScholarResearchResponse: {
            data: components["schemas"]["ScholarResearch"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        ScholarSection: {
            kind: components["schemas"]["ScholarSectionKind"];
            heading: string | null;
            /** @description 1 to 6. */
            level: number;
            /** @description Where it begins in the text, in UTF-16 code units. */
            start: number;
            /** @description Where it ends, which is where the next one of any level begins. */
            end: number;
        };
        /**
         * @description `front_matter` is what stands before the first section. A section whose heading does not tell has the kind of the one that it is part of, or `other`.
         * @enum {string}
         */
        ScholarSectionKind: "front_matter" | "abstract" | "introduction" | "background" | "methods" | "results" | "discussion" | "conclusion" | "acknowledgments" | "references" | "appendix" | "other";
        ScholarSectionPoints: {
            /** @description Null for what stands before the first heading. */
            heading: string | null;
            kind: components["schemas"]["ScholarSectionKind"];
            points: components["schemas"]["QuotedSentence"][];
        };
        ScholarSource: {
            /** @enum {string} */
            type: "book" | "article" | "chapter" | "website" | "report" | "thesis" | "conference";
            /** @description With its subtitle. */
            title: string;
            /** @description The title in the reader's language. */
            translated_title?: string | null;
            authors?: components["schemas"]["ScholarSourceName"][];
            editors?: components["schemas"]["ScholarSourceName"][];
            translators?: components["schemas"]["ScholarSourceName"][];
            /** @description In place of `date`. */
            year?: number | null;
            date?: string | null;
            /**
             * @description That of an issue.
             * @enum {string|null}
             */
            season?: "spring" | "summer" | "autumn" | "fall" | "winter" | null;
            /** @description The journal, the book of a chapter, the site, the proceedings. */
            container_title?: string | null;
            /**
             * @description What an article stands in.
             * @default journal
             * @enum {string}
             */
            periodical: "journal" | "magazine" | "newspaper";
            /** @description Of a thesis the university. */
            publisher?: string | null;
            /** @description Where it was published or held. */
            place?: string | null;
            volume?: string | null;
            issue?: string | null;
            /** @description Such as 101-119. */
            pages?: string | null;
            /** @description Such as 2, or Revised. */
            edition?: string | null;
            /** @description That of a report or of an article without pages. */
            number?: string | null;
            /** @description Such as Doctoral dissertation. */
            genre?: string | null;
            /** @description Where it was found. */
            database?: string | null;
            url?: string | null;
            /** @description With or without its resolver. */
            doi?: string | null;
            /** @description Of 10 or 13 digits. */
            isbn?: string | null;
            accessed?: string | null;
        };
        /** @description Either `family`, with or without the others, or `literal`. */
        ScholarSourceName: {
            /** @description With its particles, such as van der Berg. */
            family?: string | null;
            given?: string | null;
            /** @description Such as Jr. or III. */
            suffix?: string | null;
            /** @description The name of an organisation. */
            literal?: string | null;
        };
        ScholarStatistic: {
            /** @enum {string} */
            kind: "p_value" | "sample_size" | "mean" | "confidence_interval" | "percentage" | "t" | "f" | "chi_square" | "correlation";
            text: string;
            start: number;
            end: number;
            /** @enum {string|null} */
            comparison: "=" | "<" | ">" | "≤" | "≥" | null;
            /** @description Of an interval the level in percent. */
            value: number | null;
            degrees_of_freedom: number[];
            /** @description The standard deviation of a mean. */
            deviation: number | null;
            /** @description The lower bound of an interval. */
            low: number | null;
            high: number | null;
        };
        ScholarSummary: {
            /** @description The abstract that the paper has, word for word; null without one. */
            abstract: components["schemas"]["QuotedSentence"] | null;
            summary: string;
            /** @description What matters by section, word for word, in the order of the paper; 100 sections at most. */
            key_points: components["schemas"]["ScholarSectionPoints"][];
            model: components["schemas"]["AnsweredBy"];
            usage: components["schemas"]["AnswerUsage"];
        };
        ScholarSummaryResponse: {
            data: components["schemas"]["ScholarSummary"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SearchHighlight: {
            /** @description Where a word of the query begins in the snippet, in UTF-16 code units. */
            start: number;
            /** @description Where it ends, in UTF-16 code units. */
            end: number;
        };
        SearchItem: {
            id: string;
            title: string | null;
            content: string;
            url: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SearchItemId: string;
        SearchItemInput: {
            /** @description An id of your own; absent means that one is made. */
            id?: components["schemas"]["SearchItemId"];
            /** @description Its words weigh more. */
            title?: string | null;
            content: string;
            /** Format: uri */
            url?: string | null;
            /** @description Anything to filter by later: at most 256 values and 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SearchItemResponse: {
            data: components["schemas"]["SearchItem"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SearchMemoriesRequest: {
            /** @description A memory with any of its words is found; its first 64 words count. */
            query: string;
            /** @default 10 */
            limit: number;
            /** @description Absent means all namespaces. */
            namespace?: string;
            /** @description Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SearchRequest: {
            /** @description Words, `"phrases"`, `-word` and `-"phrase"`; the first 64 of them count. */
            query: string;
            /** @default 20 */
            limit: number;
            /** @default 0 */
            offset: number;
            /** @description Only items whose metadata contains all of this: at most 256 values and 16 KiB. */
            filter?: {
                [key: string]: unknown;
            };
            /**
             * @description Titles are sorted by their code points; items without one come last.
             * @default score
             * @enum {string}
             */
            sort: "score" | "created_at" | "updated_at" | "title";
            /**
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
        };
        SearchResponse: {
            data: components["schemas"]["SearchResults"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        SearchResult: {
            id: string;
            title: string | null;
            /** @description The part of the content that fits best, word for word, 300 characters at most; of up to 20 results all of the content is looked at, of more its first 2,000,000 / `limit` characters. */
            snippet: string;
            /** @description Where words of the query stand in the snippet, in order; words without anything between them are one. */
            highlights: components["schemas"]["SearchHighlight"][];
            /** @description Comparable within one answer; higher fits better. */
            score: number;
            url: string | null;
            metadata: {
                [key: string]: unknown;
            };
        };
        SearchResults: {
            results: components["schemas"]["SearchResult"][];
            /** @description How many items were found in all; 10,000 stands for at least as many. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. */
            truncated: boolean;
            /** @description What was searched instead; null where nothing was corrected. */
            corrected_query: string | null;
        };
        SentimentResult: {
            /** @enum {string} */
            type: "sentiment";
            tone: components["schemas"]["TextTone"];
        };
        Session: {
            /** @description The account token. Send it as a bearer token. */
            token: string;
            /**
             * Format: date-time
             * @description When the token stops working.
             */
            expires_at: string;
            user: components["schemas"]["SessionUser"];
        };
        SessionUser: {
            /** Format: uuid */
            id: string;
            email: string;
            username: string;
            /** @enum {string} */
            role: "user" | "admin";
        };
        /** @description The text itself. Exactly one of `content` and `document_id` is given. */
        SourceContent: string | null;
        /** @description The id of an uploaded document of the account that is `ready`, in place of `content`. */
        SourceDocumentId: string | null;
        SpendingLimits: {
            /** @description USD; null means none. */
            daily_limit: number | null;
            /** @description USD; null means none. */
            monthly_limit: number | null;
            /** @description USD; null means none. */
            per_request_limit: number | null;
            timezone: string;
            /** @description USD spent today, calls in flight included. */
            daily_spent: number;
            /** @description USD spent this month, calls in flight included. */
            monthly_spent: number;
            /** @description USD; null without a daily limit. */
            daily_remaining: number | null;
            /** @description USD; null without a monthly limit. */
            monthly_remaining: number | null;
            /** Format: date-time */
            daily_resets_at: string;
            /** Format: date-time */
            monthly_resets_at: string;
        };
        /** @description A field that is absent stays as it is; null removes that limit. A limit finer than 0.000000001 USD is refused (422). */
        SpendingLimitsRequest: {
            /** @description USD a calendar day. */
            daily_limit?: number | null;
            /** @description USD a calendar month. */
            monthly_limit?: number | null;
            /** @description USD a call. */
            per_request_limit?: number | null;
            /**
             * Format: time-zone
             * @description IANA name of the zone whose calendar counts; UTC unless set.
             */
            timezone?: string;
        };
        StatisticsResult: {
            /** @enum {string} */
            type: "statistics";
            statistics: components["schemas"]["TextCounts"];
        };
        StopSequences: string | string[] | null;
        StoredDocument: {
            /** Format: uuid */
            id: string;
            /** @description The name of the file, without folders and what a file name may not have. */
            name: string;
            title: string;
            type: components["schemas"]["DocumentFileType"];
            media_type: string;
            size_bytes: number;
            /** @description The SHA-256 of the file in hexadecimal digits. */
            checksum: string;
            /** @description What was sent with the file beside its title. */
            metadata: {
                [key: string]: unknown;
            };
            status: components["schemas"]["DocumentStatus"];
            /** @description Of the processing, in percent. */
            progress: number;
            /** @description Why processing failed. */
            error: string | null;
            /** @description Null for a format without pages. */
            pages: number | null;
            /** @description ISO 639-1; null where it is not known. */
            language: string | null;
            /** @description Of the text, in UTF-16 code units. */
            characters: number | null;
            /** @description Of the text, which is what processing was charged by. */
            tokens: number | null;
            /** @description How many chunks of it are indexed. */
            chunks: number | null;
            /** @description Whether the file has more text or tables than are kept (2,000,000 characters). */
            is_truncated: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it became ready.
             */
            processed_at: string | null;
        };
        Story: {
            /** Format: uuid */
            id: string;
            title: string;
            /**
             * @description `outline` is what the embedded engine makes, `prose` what a model of an upstream writes.
             * @enum {string}
             */
            kind: "outline" | "prose";
            /** @description The story; of an outline its acts and beats as text. */
            text: string;
            /** @description The acts of an outline; none for prose. */
            acts: components["schemas"]["StoryAct"][];
            prompt: string;
            genre: string | null;
            characters: components["schemas"]["StoryCharacter"][];
            length: components["schemas"]["StoryLength"];
            tone: string | null;
            /** @description The model that wrote it. */
            model: string;
            /** @description `length` where `max_tokens` cut it off. */
            finish_reason: string | null;
            usage: components["schemas"]["AgentUsage"];
            /** Format: date-time */
            created_at: string;
        };
        StoryAct: {
            title: string;
            beats: string[];
        };
        StoryCharacter: {
            name: string;
            description: string | null;
        };
        StoryCharacterInput: {
            name: string;
            description?: string | null;
        };
        StoryDeltaEvent: {
            /** @enum {string} */
            type: "delta";
            /** @description What the story goes on with. */
            text: string;
        };
        StoryDoneEvent: {
            /** @enum {string} */
            type: "done";
            data: components["schemas"]["Story"];
            /** @description What this call cost, USD. */
            cost: number;
        };
        /** @description The data of one event. A stream ends with the data `[DONE]`, one that broke off with an error. */
        StoryEvent: components["schemas"]["StoryDeltaEvent"] | components["schemas"]["StoryDoneEvent"] | components["schemas"]["StreamError"];
        /** @enum {string} */
        StoryLength: "short" | "medium" | "long";
        StoryList: {
            stories: components["schemas"]["Story"][];
            /** @description How many there are in all. */
            total: number;
            /** @description How many were asked for; with `truncated`, how many are here. */
            limit: number;
            offset: number;
            /** @description Whether the page ends before the number that was asked for, because its JSON would exceed 1 MiB. The next page then begins at `offset` + `limit`; an item that is larger comes by itself. */
            truncated: boolean;
        };
        StoryListResponse: {
            data: components["schemas"]["StoryList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        StoryResponse: {
            data: components["schemas"]["Story"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description Why the answer broke off. */
        StreamError: {
            error: components["schemas"]["StreamErrorReason"];
        };
        StreamErrorReason: {
            message: string;
            type?: string | null;
            param?: string | null;
            code?: string | number | null;
            /** @description The call's id. */
            request_id?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Tokens of the whole answer, in its last chunk. */
        StreamedUsage: ({
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
            /** @description What the call cost, USD. */
            cost?: number;
        } & {
            [key: string]: unknown;
        }) | null;
        StructureDocsRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /**
             * @description How deep the table of contents goes.
             * @default 6
             */
            depth_max: number;
        };
        SubmitTaskRequest: {
            task_type: components["schemas"]["TaskType"];
            /** @description The body of the operation. */
            parameters: {
                [key: string]: unknown;
            };
            /** @default normal */
            priority: components["schemas"]["TaskPriority"];
        };
        SummarizeLegalRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /**
             * @description How many sentences the summary has at most.
             * @default 5
             */
            sentences: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        SummarizeResult: {
            /** @enum {string} */
            type: "summarize";
            summary: string;
            key_points: components["schemas"]["QuotedSentence"][];
        };
        SummarizeScholarRequest: {
            content?: components["schemas"]["SourceContent"];
            document_id?: components["schemas"]["SourceDocumentId"];
            /**
             * @description How many sentences the summary has at most.
             * @default 5
             */
            sentences: number;
            /**
             * @description How many sentences are quoted of a section at most.
             * @default 1
             */
            points_per_section: number;
            model?: components["schemas"]["AnsweringModel"];
            max_tokens?: components["schemas"]["AnswerTokensMax"];
            allow_degraded?: components["schemas"]["AllowDegraded"];
        };
        SystemEngine: {
            /** @description `embedded`, or the name of the upstream. */
            provider: string;
            /**
             * @description `basic` for classical text processing, `model` for a language model.
             * @enum {string}
             */
            quality: "basic" | "model";
            /** @description What it answers for a call that names no model; empty where it could not list its models. */
            operations: ("chat" | "complete" | "embed")[];
            /** @description How many models it serves. */
            models: number;
            /** @description Whether it could list its models, and calls to it have got through lately. */
            is_available: boolean;
        };
        SystemFeature: {
            /** @description A group of operations, by its tag in this document. */
            name: string;
            /** @description Whether calls get through at present, as far as is known. */
            is_available: boolean;
            /**
             * @description What answers a call that names no model; null where no model is needed.
             * @enum {string|null}
             */
            engine: "embedded" | "upstream" | null;
            /** @description What the operator would have to set for the rest of it; null where nothing is missing. */
            needs: string | null;
        };
        SystemInfo: {
            /** @description The version of the API. */
            version: string;
            /** @enum {string} */
            environment: "live" | "test";
            /** @description Every group of operations, in the order of this document. */
            features: components["schemas"]["SystemFeature"][];
            /** @description In the order in which they are asked. */
            engines: components["schemas"]["SystemEngine"][];
        };
        SystemInfoResponse: {
            data: components["schemas"]["SystemInfo"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @description From a request to the end of its answer, which for a stream is its last event. What was refused (4xx) is left out. The
         *     times are exact to a tenth.
         */
        SystemLatency: {
            /** @enum {string} */
            rate_class: "read" | "write" | "llm" | "heavy";
            requests: number;
            p50_ms: number;
            p95_ms: number;
            p99_ms: number;
        };
        SystemMetrics: {
            /** @description Of the answering replica. */
            uptime_seconds: number;
            /** @description How far back the latencies reach at most. */
            window_seconds: number;
            queue: components["schemas"]["SystemQueue"];
            /** @description Of the answering replica, by rate class; a class without requests is absent. */
            latencies: components["schemas"]["SystemLatency"][];
        };
        SystemMetricsResponse: {
            data: components["schemas"]["SystemMetrics"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description Tasks that have not ended; the numbers may be a second old, and what waits is counted up to 100,000. */
        SystemQueue: {
            /** @description Of all accounts. */
            waiting: number;
            /** @description Of all accounts. */
            running: number;
            /** @description Of the account that asks. */
            own_waiting: number;
            /** @description Of the account that asks. */
            own_running: number;
        };
        SystemResources: {
            /** @description How many the process may use, its container considered. */
            cores: number;
            /** @description Of the whole machine. */
            load_average_1m: number;
            /** @description How much the process may use, its container considered. */
            memory_total_bytes: number;
            /** @description What is left of it. */
            memory_free_bytes: number;
            /** @description What the process has in memory, code and buffers included. */
            process_memory_bytes: number;
            /** @description What its JavaScript objects take. */
            heap_used_bytes: number;
            /** @description How late one of a hundred timers is, over the last one to two minutes. */
            event_loop_delay_p99_ms: number;
        };
        SystemResourcesResponse: {
            data: components["schemas"]["SystemResources"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        TablesResult: {
            /** @enum {string} */
            type: "tables";
            tables: components["schemas"]["FoundTextTable"][];
        };
        Task: {
            /** Format: uuid */
            id: string;
            task_type: components["schemas"]["TaskType"];
            priority: components["schemas"]["TaskPriority"];
            status: components["schemas"]["TaskStatus"];
            /** @description In percent; 100 once the task has ended. It never goes back. */
            progress: number;
            /** @description How often it was begun; more than once only where a worker died. */
            attempts: number;
            /** @description What the run was charged, USD, without the submission. */
            cost: number;
            error: components["schemas"]["TaskError"] | null;
            /** @description The id of the latest call that the task made, under which its receipt is found; null before the first. */
            request_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was first begun.
             */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When it is deleted, 30 days after its end; null before that.
             */
            expires_at: string | null;
            /** @description The body of the operation as it was submitted. */
            parameters: {
                [key: string]: unknown;
            };
            /** @description What the operation answered, as its own document describes it; null unless the task has succeeded. */
            result: {
                [key: string]: unknown;
            } | null;
        };
        TaskEntry: {
            /** Format: uuid */
            id: string;
            task_type: components["schemas"]["TaskType"];
            priority: components["schemas"]["TaskPriority"];
            status: components["schemas"]["TaskStatus"];
            /** @description In percent; 100 once the task has ended. It never goes back. */
            progress: number;
            /** @description How often it was begun; more than once only where a worker died. */
            attempts: number;
            /** @description What the run was charged, USD, without the submission. */
            cost: number;
            error: components["schemas"]["TaskError"] | null;
            /** @description The id of the latest call that the task made, under which its receipt is found; null before the first. */
            request_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was first begun.
             */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When it is deleted, 30 days after its end; null before that.
             */
            expires_at: string | null;
        };
        /** @description What the operation answered instead of a result. */
        TaskError: {
            /** @description The HTTP status that the call would have had. */
            status: number;
            error: string;
            message: string;
        };
        TaskList: {
            tasks: components["schemas"]["TaskEntry"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        TaskListResponse: {
            data: components["schemas"]["TaskList"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {string} */
        TaskPriority: "low" | "normal" | "high" | "urgent";
        TaskResponse: {
            data: components["schemas"]["Task"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {string} */
        TaskStatus: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        /**
         * @description The id of the operation that the task runs.
         * @enum {string}
         */
        TaskType: "createMemory" | "queryMemories" | "searchMemories" | "createMemoryBatch" | "createAgent" | "generateWithAgent" | "chatWithAgent" | "indexRagDocument" | "retrieveRagChunks" | "generateWithRag" | "indexSearchItems" | "search" | "generateStory" | "createChatCompletion" | "createCompletion" | "createResponse" | "createEmbedding" | "processAdvanced" | "analyzeAdvanced" | "generateAdvanced" | "optimizeAdvanced" | "processInputs" | "analyzeInputs" | "generateFromInputs" | "transformInput" | "runOmmBatch";
        TemplateVariable: {
            name: string;
            value: string;
        };
        TestWebhookRequest: {
            event_type: components["schemas"]["EventType"];
        };
        TextChangeMade: {
            /** @description Where it begins in the text that was given, in UTF-16 code units. */
            start: number;
            end: number;
            before: string;
            after: string;
            reason: string;
        };
        TextChoice: {
            index: number;
            text: string;
            finish_reason: string | null;
            logprobs?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        TextChunkChoice: {
            index: number;
            /** @description What this chunk adds to the text. */
            text: string;
            finish_reason?: string | null;
            logprobs?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        TextCompletion: {
            id: string;
            /** @enum {string} */
            object: "text_completion";
            /** @description Unix seconds. */
            created: number;
            /** @description The model that answered. */
            model: string;
            choices: components["schemas"]["TextChoice"][];
            usage: components["schemas"]["CompletionUsage"];
        } & {
            [key: string]: unknown;
        };
        TextCompletionChunk: {
            id: string;
            /** @enum {string} */
            object: "text_completion";
            /** @description Unix seconds. */
            created: number;
            /** @description The model that answers. */
            model: string;
            choices: components["schemas"]["TextChunkChoice"][];
            usage?: components["schemas"]["StreamedUsage"];
        } & {
            [key: string]: unknown;
        };
        /** @description The data of one event. A stream ends with the data `[DONE]`, one that broke off with an error. */
        TextCompletionEvent: components["schemas"]["TextCompletionChunk"] | components["schemas"]["StreamError"];
        TextCounts: {
            /** @description In UTF-16 code units. */
            characters: number;
            words: number;
            sentences: number;
            paragraphs: number;
            average_sentence_words: number;
            reading_time_seconds: number;
        };
        TextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        TextReadability: {
            /** @description Null where the text is not English or too short to tell. */
            flesch_reading_ease: number | null;
            flesch_kincaid_grade: number | null;
            /** @enum {string|null} */
            reading_level: "very_easy" | "easy" | "standard" | "difficult" | "very_difficult" | null;
            average_sentence_words: number;
            average_word_syllables: number;
        };
        /** @description A place of the text that could be better. Offsets are in UTF-16 code units. */
        TextSuggestion: {
            start: number;
            end: number;
            /** @description What stands there, word for word. */
            before: string;
            /** @description What could stand there, empty where it may go; null where only the author can decide. */
            after: string | null;
            reason: string;
        };
        TextTone: {
            /** @enum {string} */
            sentiment: "negative" | "neutral" | "positive";
            sentiment_score: number;
            /** @enum {string} */
            formality: "informal" | "neutral" | "formal";
            /** @description What it was read from. */
            signals: string[];
        };
        ToolCallDelta: {
            /** @description Which of the calls this adds to. */
            index?: number;
            id?: string;
            /** @enum {string} */
            type?: "function";
            function?: components["schemas"]["FunctionCallDelta"];
        } & {
            [key: string]: unknown;
        };
        Transaction: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            type: "deposit" | "charge" | "refund" | "adjustment" | "bonus";
            /** @description USD; negative where credits left the account. */
            amount: number;
            /** @description The balance after this transaction, USD. */
            balance_after: number;
            /** @description The reason of a credit or the operation of a charge. */
            description: string;
            /** @description The id of the charged call, or what makes a credit unique; null where nothing does. */
            reference_id: string | null;
            /** @description The id of the call whose receipt explains the transaction. */
            request_id: string | null;
            /**
             * Format: uuid
             * @description The access key that was used.
             */
            key_id: string | null;
            /** @enum {string} */
            status: "posted";
            /** Format: date-time */
            created_at: string;
        };
        TransactionList: {
            transactions: components["schemas"]["Transaction"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        TransactionStats: {
            /** @description USD. */
            total_deposited: number;
            /** @description USD, as a positive number. */
            total_charged: number;
            /** @description USD. */
            total_refunded: number;
            /** @description USD; negative where adjustments took credits. */
            total_adjusted: number;
            /** @description USD. */
            total_bonus: number;
            /** @description The sum of all amounts in the period, USD. */
            net: number;
            count: number;
            by_type: components["schemas"]["TransactionTypeTotal"][];
        };
        TransactionTypeTotal: {
            /** @enum {string} */
            type: "deposit" | "charge" | "refund" | "adjustment" | "bonus";
            count: number;
            /** @description The signed sum, USD. */
            amount: number;
        };
        TransformInputRequest: {
            input: components["schemas"]["OmmInput"];
            to: components["schemas"]["OmmTarget"];
            resize?: components["schemas"]["OmmResize"];
            crop?: components["schemas"]["OmmCrop"];
            /** @description Of JPEG and WebP. 80 if absent. */
            quality?: number;
            /** @default 20000 */
            max_input_tokens: components["schemas"]["OmmInputTokensMax"];
        };
        TranslateResult: {
            /** @enum {string} */
            type: "translate";
            text: string;
            /** @description As given, or else as detected. */
            source_language: string | null;
            target_language: string;
        };
        UpdateAgentRequest: {
            name?: string;
            system_prompt?: components["schemas"]["AgentSystemPrompt"];
            model?: components["schemas"]["AgentModel"];
            temperature?: components["schemas"]["AgentTemperature"];
            max_tokens?: components["schemas"]["AgentMaxTokens"];
            tools?: components["schemas"]["AgentTools"];
            memory?: components["schemas"]["AgentMemory"];
            metadata?: components["schemas"]["AgentMetadata"];
        };
        /** @description A field that is absent stays as it is. */
        UpdateUserRequest: {
            /** @enum {string} */
            tier?: "free" | "basic" | "pro" | "enterprise";
            rate_limits?: components["schemas"]["CustomRateLimitsRequest"];
            /** @description False disables the account: all its credentials are refused. */
            is_active?: boolean;
            /** @description Why; kept with the action, and not shown to the account. */
            reason?: string;
        };
        /** @description A field that is absent stays as it is. */
        UpdateWebhookRequest: {
            /** @description Where events are sent by POST: an HTTPS URL with port 443 or one from 1024 on, whose host has public addresses only. */
            url?: string;
            /** @description What is sent. */
            events?: components["schemas"]["WebhookSubscription"][];
            /** @description False switches the webhook off: deliveries that wait are abandoned, and what happens until it is switched on is not sent. True switches it on, also after it was switched off because it failed for too long. */
            is_active?: boolean;
            /** @description Null removes it. */
            description?: string | null;
        };
        UpgradeRequest: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            requested_tier: "basic" | "pro" | "enterprise";
            reason: string;
            estimated_requests_per_day: number | null;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected";
            /** Format: date-time */
            created_at: string;
        };
        UploadDocumentRequest: {
            /**
             * Format: binary
             * @description The file with its name, of at most 25 MiB.
             */
            file: string;
            metadata?: components["schemas"]["UploadMetadata"];
        };
        /**
         * @description JSON text with a title and a type, and anything of your own: at most 256 values and 16 KiB.
         * @example {
         *       "title": "Minutes of the board",
         *       "project": "harbour"
         *     }
         */
        UploadMetadata: {
            /** @description Null or absent means the name of the file. */
            title?: string | null;
            /** @description The format as an extension or a media type, which must be the file's then; or a word of your own. */
            type?: string | null;
        } & {
            [key: string]: unknown;
        };
        UploadedDocument: {
            /** Format: uuid */
            id: string;
            /** @description The name of the file, without folders and what a file name may not have. */
            name: string;
            title: string;
            type: components["schemas"]["DocumentFileType"];
            media_type: string;
            size_bytes: number;
            /** @description The SHA-256 of the file in hexadecimal digits. */
            checksum: string;
            /** @description What was sent with the file beside its title. */
            metadata: {
                [key: string]: unknown;
            };
            status: components["schemas"]["DocumentStatus"];
            /** @description Of the processing, in percent. */
            progress: number;
            /** @description Why processing failed. */
            error: string | null;
            /** @description Null for a format without pages. */
            pages: number | null;
            /** @description ISO 639-1; null where it is not known. */
            language: string | null;
            /** @description Of the text, in UTF-16 code units. */
            characters: number | null;
            /** @description Of the text, which is what processing was charged by. */
            tokens: number | null;
            /** @description How many chunks of it are indexed. */
            chunks: number | null;
            /** @description Whether the file has more text or tables than are kept (2,000,000 characters). */
            is_truncated: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it became ready.
             */
            processed_at: string | null;
            /** @description Whether the same file was there already. */
            deduplicated: boolean;
        };
        UploadedDocumentResponse: {
            data: components["schemas"]["UploadedDocument"];
            metadata: components["schemas"]["ResponseMetadata"];
        };
        /** @description The refusal of a model's provider as it came; `error` usually is an object with a message, a type and a code. */
        UpstreamRefusal: {
            [key: string]: unknown;
        };
        Usage: {
            /** @description Calls since midnight UTC. */
            requests_today: number;
            /** @description USD since midnight UTC. */
            cost_today: number;
            /** @description Tokens since midnight UTC. */
            tokens_today: number;
            period: components["schemas"]["UsagePeriod"];
            /** @description The costliest first. */
            by_operation: components["schemas"]["OperationUsage"][];
            /** @description The UTC days with calls in their order; the newest 1,000. */
            daily: components["schemas"]["DailyUsage"][];
        };
        UsageLimitExceededData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** Format: uuid */
            access_key_id: string;
            /** @enum {string} */
            limit_type: "daily" | "monthly";
            /** @description USD. */
            limit: number;
            /** @description USD, in the day or month of the limit. */
            spent: number;
            /** @description By how much the refused call would have passed the limit, USD. */
            exceeded_by: number;
            /** @description The route of the refused call. */
            request_route: string | null;
            /** @description What the refused call could have cost, USD. */
            request_cost: number;
            /**
             * Format: date-time
             * @description When the next day or month begins.
             */
            resets_at: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        UsageLimitExceededEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "usage.limit_exceeded";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["UsageLimitExceededData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        UsagePeriod: {
            /** Format: date-time */
            start_date: string;
            /** Format: date-time */
            end_date: string;
            requests: number;
            /** @description Calls that were answered with 2xx. */
            successful: number;
            /** @description Calls that were not. */
            failed: number;
            tokens: number;
            /** @description USD. */
            cost: number;
        };
        UsageSpikeData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** Format: date-time */
            hour_starts_at: string;
            /** @description USD, since the hour began. */
            spent: number;
            /** @description What an hour of the last 7 days cost on average, USD. */
            hourly_mean: number;
            /** @description How many times the average that is. */
            factor: number;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        UsageSpikeEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "usage.spike";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["UsageSpikeData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        UsageSummary: {
            today: components["schemas"]["UsageTotals"];
            this_month: components["schemas"]["UsageTotals"];
            all_time: components["schemas"]["UsageTotals"];
            /** @description USD. */
            balance: number;
        };
        UsageThresholdData: {
            /**
             * Format: uuid
             * @description The account that it happened to.
             */
            user_id: string;
            /** Format: uuid */
            access_key_id: string;
            /** @enum {string} */
            limit_type: "daily" | "monthly";
            /** @description USD. */
            limit: number;
            /** @description USD, in the day or month of the limit. */
            spent: number;
            /** @description Of the limit: 80. */
            threshold_percent: number;
            /**
             * Format: date-time
             * @description When the next day or month begins.
             */
            resets_at: string;
            /**
             * @description Only in an event that `POST /api/webhooks/{webhook_id}/test` sent.
             * @enum {boolean}
             */
            test?: true;
        };
        UsageThresholdEvent: {
            /**
             * Format: uuid
             * @description Unique for each event. An event may arrive more than once, each time with the same id.
             */
            event_id: string;
            /** @enum {string} */
            event_type: "usage.threshold";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["UsageThresholdData"];
            /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of this body without this field, with the webhook's secret as its key. `X-Service-Signature`, which signs the body as it is sent, is simpler to verify. */
            signature: string;
        };
        UsageTotals: {
            requests: number;
            tokens: number;
            /** @description USD. */
            cost: number;
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            username: string;
            /** @enum {string} */
            role: "user" | "admin";
            is_email_verified: boolean;
            /** Format: date-time */
            created_at: string;
        };
        UserReference: {
            /** Format: uuid */
            id: string;
            email: string;
            username: string;
            /**
             * @description The tier that the account has now.
             * @enum {string}
             */
            tier: "free" | "basic" | "pro" | "enterprise";
        };
        ValidationDetail: {
            /** @description Where in the request: `messages[3].role`, `body` or `header` and its name. */
            field: string;
            /** @description What is wrong there. */
            message: string;
        };
        ValidationError: {
            error: string;
            message: string;
            request_id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Every fault, up to 20; of a body with more than 4,000 values at all depths the first. */
            details?: components["schemas"]["ValidationDetail"][];
        };
        WaitingReceiver: {
            /** @description Host and port. */
            receiver: string;
            /** @description How many deliveries are due or with a worker. */
            waiting: number;
            /**
             * Format: date-time
             * @description Since when the first of them is due.
             */
            oldest_due_at: string;
            /**
             * Format: date-time
             * @description Since when the receiver is served as a slow one; null where it is not.
             */
            slow_since: string | null;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: components["schemas"]["WebhookSubscription"][];
            is_active: boolean;
            /** @description Why the service switched the webhook off; null where it did not. */
            disabled_reason: string | null;
            description: string | null;
            /**
             * Format: date-time
             * @description The first failed attempt since the last successful one; null where the last one was successful. Tests do not count.
             */
            failing_since: string | null;
            /** Format: date-time */
            last_delivered_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookCounts: {
            active: number;
            /** @description Those that are off for any reason. */
            inactive: number;
            /** @description Those of them that the service switched off. */
            switched_off: number;
        };
        /** @description An event on its way to one webhook. */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhook_id: string;
            /** Format: uuid */
            event_id: string;
            event_type: components["schemas"]["EventType"];
            /** @description Where the last attempt went. */
            url: string;
            /**
             * @description Pending until the first attempt has ended; then how the last one ended.
             * @enum {string}
             */
            status: "pending" | "success" | "failed";
            /** @description The HTTP status that the receiver answered; null where it did not answer. */
            response_status: number | null;
            /** @description The first 2 KiB of the answer to a successful attempt. */
            response_body: string | null;
            /** @description Why the attempt failed. */
            error_message: string | null;
            /** @description How many attempts were made after the first. */
            retry_count: number;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none is.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When the last failed attempt ended.
             */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description Since when no attempt is made any more unless it is asked for.
             */
            abandoned_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The last 20 attempts, in their order. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
            /** @description How many there are in all. */
            total: number;
            limit: number;
            offset: number;
        };
        WebhookSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description The key of the signatures. It is shown this once only. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when deliveries are signed with the old secret as well; null where they are not.
             */
            previous_secret_until: string | null;
            events: components["schemas"]["WebhookSubscription"][];
            is_active: boolean;
            disabled_reason: string | null;
            description: string | null;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            last_delivered_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description A type of events, or `*` for all of them, also those that are added later.
         * @enum {string}
         */
        WebhookSubscription: "payment.created" | "payment.confirming" | "payment.confirmed" | "payment.failed" | "payment.expired" | "balance.updated" | "balance.low" | "balance.depleted" | "usage.limit_exceeded" | "usage.threshold" | "usage.spike" | "anomaly.detected" | "rate_limit.exceeded" | "key.revoked" | "*";
        WebhooksHealth: {
            /** @description Events of which no deliveries are made yet. */
            events_waiting: number;
            /** @description How long the oldest of them waits; null where none does. */
            oldest_event_age_seconds: number | null;
            /** @description Deliveries that wait to be given to a worker. */
            deliveries_due: number;
            /** @description Deliveries that are with a worker. */
            deliveries_handed: number;
            /** @description Deliveries whose next attempt is not due yet. */
            deliveries_later: number;
            /** @description Failed deliveries whose last attempt is of the last 24 hours. */
            failed_last_24h: number;
            /** @description Deliveries that were abandoned in the last 24 hours. */
            abandoned_last_24h: number;
            /** @description Webhooks that the service switched off because they failed for too long. */
            switched_off_webhooks: number;
            /** @description The 10 receivers for which most deliveries are due or with a worker, those with the most first. */
            receivers: components["schemas"]["WaitingReceiver"][];
            /** Format: date-time */
            checked_at: string;
        };
        ListKeysQuery: {
            /**
             * @description How many keys to return.
             * @default 100
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "name";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only keys in this state. A key that was revoked counts as revoked also after it has expired.
             * @enum {string}
             */
            status?: "active" | "revoked" | "expired";
        };
        ListTransactionsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "amount";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only transactions of this status.
             * @enum {string}
             */
            status?: "posted";
            /**
             * @description Only transactions of this type.
             * @enum {string}
             */
            type?: "deposit" | "charge" | "refund" | "adjustment" | "bonus";
        };
        GetTransactionStatsQuery: {
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        ListPaymentsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "amount_usd";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /** @description Only payments of this status. */
            status?: components["schemas"]["PaymentStatus"];
            /** @description Only payments in this currency. */
            currency?: components["schemas"]["PaymentCurrency"];
        };
        GetUsageQuery: {
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        GetCostsQuery: {
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        GetKeyUsageQuery: {
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        ListAgentsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "updated_at" | "name";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        ListRagDocumentsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "updated_at" | "document_id";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /** @description Only documents of this collection. */
            collection?: string;
        };
        ListTasksQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "finished_at" | "priority";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /** @description Only tasks of this status. */
            status?: components["schemas"]["TaskStatus"];
            /** @description Only tasks of this priority. */
            priority?: components["schemas"]["TaskPriority"];
            /** @description Only tasks of this type. */
            task_type?: components["schemas"]["TaskType"];
        };
        ListStoriesQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "title";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        ListDocumentsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /** @description Only documents in this state. */
            status?: components["schemas"]["DocumentStatus"];
            /** @description Only documents of this format. */
            type?: components["schemas"]["DocumentFileType"];
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "updated_at" | "title" | "size_bytes";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
        };
        ListWebhooksQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only webhooks in this state.
             * @enum {string}
             */
            status?: "active" | "inactive";
        };
        ListDeliveriesQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only deliveries in this state.
             * @enum {string}
             */
            status?: "pending" | "success" | "failed";
            /** @description Only deliveries of this type of events. */
            event_type?: components["schemas"]["EventType"];
        };
        ListUsersQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "email" | "username";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only accounts of this status; those of a disabled one have `is_active` false.
             * @enum {string}
             */
            status?: "active" | "disabled";
            /** @description Only accounts whose e-mail address or username contains this text. */
            search?: string;
            /**
             * @description Only accounts of this tier.
             * @enum {string}
             */
            tier?: "free" | "basic" | "pro" | "enterprise";
            /**
             * @description Only accounts of this role.
             * @enum {string}
             */
            role?: "user" | "admin";
        };
        ListAllPaymentsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at" | "amount_usd";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /** @description Only payments of this status. */
            status?: components["schemas"]["PaymentStatus"];
            /** @description Only payments in this currency. */
            currency?: components["schemas"]["PaymentCurrency"];
            /**
             * Format: uuid
             * @description Only payments of this account.
             */
            user_id?: string;
            /** @description Only payments that a person has to look at, or only the others. */
            needs_review?: boolean;
        };
        ListAllWebhooksQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only webhooks in this state: `switched_off` by the service because they failed for too long, `inactive` for any reason.
             * @enum {string}
             */
            status?: "active" | "inactive" | "switched_off";
            /**
             * Format: uuid
             * @description Only those of this account.
             */
            user_id?: string;
        };
        ListAbandonedDeliveriesQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default abandoned_at
             * @enum {string}
             */
            sort: "abandoned_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * Format: uuid
             * @description Only those of this account.
             */
            user_id?: string;
            /**
             * Format: uuid
             * @description Only those to this webhook.
             */
            webhook_id?: string;
        };
        ListUpgradeRequestsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * @description Only requests of this status.
             * @enum {string}
             */
            status?: "pending" | "approved" | "rejected";
            /**
             * Format: uuid
             * @description Only those of this account.
             */
            user_id?: string;
        };
        GetCallQuery: {
            /**
             * Format: uuid
             * @description Only among the calls of this account.
             */
            user_id?: string;
        };
        ListAdminActionsQuery: {
            /**
             * @description How many records to return.
             * @default 20
             */
            limit: number;
            /**
             * @description How many records to skip.
             * @default 0
             */
            offset: number;
            /**
             * @description The field that orders the list.
             * @default created_at
             * @enum {string}
             */
            sort: "created_at";
            /**
             * @description The direction of the sort.
             * @default desc
             * @enum {string}
             */
            order: "asc" | "desc";
            /**
             * Format: date-or-date-time
             * @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC.
             */
            start_date?: string;
            /**
             * Format: date-or-date-time
             * @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC.
             */
            end_date?: string;
            /**
             * Format: uuid
             * @description Only those of this admin.
             */
            admin_id?: string;
            /** @description Only those made by this operation. */
            operation?: components["schemas"]["AdminOperation"];
            /**
             * Format: uuid
             * @description Only those that concern this account.
             */
            user_id?: string;
        };
        /**
         * @description Chosen by the client; the answers to the message carry it.
         * @example g1
         */
        SocketMessageId: string;
        /**
         * @description A message that is sent again under the same key within 24 hours, also on another socket, is not done again: its answer is that of the first. A room forgets a key sooner once 20,000 messages and updates have followed it there. Another message under the same key is refused with 422.
         * @example 7d1c1a4e-retry
         */
        SocketIdempotencyKey: string;
        /**
         * @description What refused or ended a message, with the body that the same failure has over HTTP. Failures of some kinds have further members, such as `required` and `available` of 402, `details` of 400, `retry_after` of 429 and 503, `version` and `state` of 409.
         * @example {
         *       "type": "error",
         *       "id": "g1",
         *       "status": 402,
         *       "error": "Insufficient credits",
         *       "message": "The call needs 0.0105 USD; 0.002 USD are available.",
         *       "request_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "timestamp": "2026-11-23T10:00:00.000Z",
         *       "required": 0.0105,
         *       "available": 0.002
         *     }
         */
        SocketError: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "error";
            /** @description Of the message that failed; null where its id could not be read. */
            id: string | null;
            /** @description The room that the message named. */
            room?: string;
            /** @description The status that HTTP would answer. */
            status: number;
            /** @description The short name of the failure. */
            error: string;
            /** @description What is wrong, in a sentence. */
            message: string;
            /** @description Of the call where there is one; a receipt is found under it. */
            request_id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description What was charged for what had been delivered, in USD. Absent where nothing was. */
            cost?: number;
            /** @description What the account has left, in USD. */
            balance?: number;
            /** @description Of the room's state, with 409. */
            version?: number;
            /** @description The room's present state, with 409. */
            state?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Begins a call whose answer is streamed. A socket may have eight of them under way.
         * @example {
         *       "action": "generate",
         *       "id": "g1",
         *       "operation": "createChatCompletion",
         *       "payload": {
         *         "model": "default",
         *         "messages": [
         *           {
         *             "role": "user",
         *             "content": "Why is the sky blue?"
         *           }
         *         ],
         *         "max_tokens": 200
         *       },
         *       "idempotency_key": "sky-1"
         *     }
         */
        StreamGenerate: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "generate";
            id: components["schemas"]["SocketMessageId"];
            /**
             * @description The operationId of any operation of the OpenAPI document that answers with server-sent events too.
             * @example createChatCompletion
             */
            operation: string;
            /** @description The body that the operation takes over HTTP; `stream` is set to true. */
            payload: {
                [key: string]: unknown;
            };
            idempotency_key?: components["schemas"]["SocketIdempotencyKey"];
        };
        /**
         * @description Ends a call that is under way. What was delivered is charged, as when a client leaves over HTTP; `done` tells how much. A call that has ended is answered with 404.
         * @example {
         *       "action": "cancel",
         *       "id": "g1"
         *     }
         */
        StreamCancel: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "cancel";
            id: components["schemas"]["SocketMessageId"];
        };
        /**
         * @description The answer begins. Before it nothing has been charged; a call that is refused has no start, only an error.
         * @example {
         *       "type": "start",
         *       "id": "g1",
         *       "request_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d"
         *     }
         */
        StreamStart: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "start";
            id: components["schemas"]["SocketMessageId"];
            /** @description Of the call; its receipt is found under it. */
            request_id: string;
        };
        /**
         * @description One event of the answer, in order.
         * @example {
         *       "type": "delta",
         *       "id": "g1",
         *       "data": {
         *         "id": "chatcmpl-0192f0c3",
         *         "object": "chat.completion.chunk",
         *         "choices": [
         *           {
         *             "index": 0,
         *             "delta": {
         *               "content": "Because"
         *             },
         *             "finish_reason": null
         *           }
         *         ]
         *       }
         *     }
         */
        StreamDelta: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "delta";
            id: components["schemas"]["SocketMessageId"];
            /** @description The name of the server-sent event, where the operation names its events. */
            event?: string;
            /** @description The event's data, as the operation streams it over HTTP. */
            data: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The call has ended and is settled; nothing more comes for it.
         * @example {
         *       "type": "done",
         *       "id": "g1",
         *       "request_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "cancelled": false,
         *       "replayed": false,
         *       "model": "embedded-extractive-1",
         *       "usage": {
         *         "input_tokens": 12,
         *         "output_tokens": 40,
         *         "total_tokens": 52
         *       },
         *       "cost": 0.00152,
         *       "balance": 4.99848
         *     }
         */
        StreamDone: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "done";
            id: components["schemas"]["SocketMessageId"];
            /** @description Of the call; its receipt is found under it. */
            request_id: string;
            /** @description Whether the client ended it before it was complete. */
            cancelled: boolean;
            /** @description Whether it is the answer to an earlier call with the same idempotency_key. */
            replayed: boolean;
            /** @description Of a replayed call, the whole answer as the operation gives it without streaming. */
            result?: {
                [key: string]: unknown;
            };
            /** @description The model that answered; null where none is known. */
            model: string | null;
            /** @description The tokens that were charged; null for a replayed call, or one that was cancelled before it began. */
            usage: components["schemas"]["StreamUsage"] | null;
            /** @description What was charged, in USD. */
            cost: number;
            /** @description What the account has left, in USD; null where nothing was charged. */
            balance: number | null;
        };
        /** @description The tokens that a call was charged for. */
        StreamUsage: {
            /** @description Tokens of the input. */
            input_tokens: number;
            /** @description Tokens of the answer. */
            output_tokens: number;
            /** @description Both together. */
            total_tokens: number;
        };
        /**
         * @description A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms.
         * @example board-1
         */
        RoomName: string;
        /**
         * @description The place of a message or an update among all of the room's. It grows by one each time.
         * @example 42
         */
        RoomSeq: number;
        /**
         * @description The version of the room's state. It grows by one with each update; 0 is the empty state.
         * @example 7
         */
        RoomVersion: number;
        /**
         * @description What a member tells of itself, such as a name or a cursor; at most 4 KiB as JSON.
         * @example {
         *       "name": "Ada",
         *       "cursor": {
         *         "x": 10,
         *         "y": 20
         *       }
         *     }
         */
        RoomPresence: {
            [key: string]: unknown;
        };
        /** @description Somebody in the room. One socket is one member, and a new one each time it joins. */
        RoomMember: {
            /** @description Of the member. */
            id: string;
            presence: components["schemas"]["RoomPresence"];
            /**
             * Format: date-time
             * @description When it joined.
             */
            joined_at: string;
        };
        /**
         * @description Enters a room. Who was there before tells what it has seen by `last_seq` or `last_version`, and gets the messages and updates that it missed; where these are not all kept, the whole state.
         * @example {
         *       "action": "join",
         *       "id": "j1",
         *       "room": "board-1",
         *       "data": {
         *         "name": "Ada"
         *       },
         *       "last_version": 6
         *     }
         */
        RoomJoin: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "join";
            id?: components["schemas"]["SocketMessageId"];
            room: components["schemas"]["RoomName"];
            data?: components["schemas"]["RoomPresence"];
            /** @description The version of the state that the client has. */
            last_version?: number;
            /** @description Of the last message or update that the client saw; tells more exactly than `last_version`. */
            last_seq?: number;
        };
        /**
         * @description Leaves a room.
         * @example {
         *       "action": "leave",
         *       "id": "l1",
         *       "room": "board-1"
         *     }
         */
        RoomLeave: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "leave";
            id?: components["schemas"]["SocketMessageId"];
            room: components["schemas"]["RoomName"];
        };
        /**
         * @description Says something to all members, in the order of the room; the sender gets it too.
         * @example {
         *       "action": "message",
         *       "id": "m1",
         *       "room": "board-1",
         *       "data": {
         *         "text": "Hello"
         *       }
         *     }
         */
        RoomMessage: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "message";
            id?: components["schemas"]["SocketMessageId"];
            room: components["schemas"]["RoomName"];
            /** @description Anything; the service does not look at it. */
            data: {
                [key: string]: unknown;
            };
            idempotency_key?: components["schemas"]["SocketIdempotencyKey"];
        };
        /**
         * @description Replaces what the member tells of itself. Others may get only the latest of several.
         * @example {
         *       "action": "presence",
         *       "id": "p1",
         *       "room": "board-1",
         *       "data": {
         *         "name": "Ada",
         *         "cursor": {
         *           "x": 11,
         *           "y": 20
         *         }
         *       }
         *     }
         */
        RoomSetPresence: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "presence";
            id?: components["schemas"]["SocketMessageId"];
            room: components["schemas"]["RoomName"];
            data: components["schemas"]["RoomPresence"];
        };
        /**
         * @description Changes the shared state by a JSON merge patch (RFC 7396). Refused with 409 and the present state where the state has another version than `base_version`; of two updates of the same version exactly one wins. Refused with 429 while the account's updates have read and written too much of states: 8 MiB a second on a replica, 16 MiB at once. Refused with 409 without a state, as a message is, where the account stores as many bytes in all as it may.
         * @example {
         *       "action": "update",
         *       "id": "u1",
         *       "room": "board-1",
         *       "data": {
         *         "title": "Plan",
         *         "draft": null
         *       },
         *       "base_version": 6
         *     }
         */
        RoomUpdate: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "update";
            id?: components["schemas"]["SocketMessageId"];
            room: components["schemas"]["RoomName"];
            /** @description The merge patch. A member that is null is removed. The state may have 256 KiB as JSON, and 10,000 names of members. */
            data: {
                [key: string]: unknown;
            };
            base_version: components["schemas"]["RoomVersion"];
            idempotency_key?: components["schemas"]["SocketIdempotencyKey"];
        };
        /**
         * @description Asks whether the service is there. It answers with `ack`.
         * @example {
         *       "action": "ping",
         *       "id": "k1"
         *     }
         */
        RoomPing: {
            /**
             * @description What to do.
             * @enum {string}
             */
            action: "ping";
            id?: components["schemas"]["SocketMessageId"];
        };
        /**
         * @description The answer to `join`. What happens in the room from now on follows it.
         * @example {
         *       "type": "joined",
         *       "id": "j1",
         *       "room": "board-1",
         *       "member_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "members": [
         *         {
         *           "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *           "presence": {
         *             "name": "Ada"
         *           },
         *           "joined_at": "2026-11-23T10:00:00.000Z"
         *         }
         *       ],
         *       "seq": 42,
         *       "version": 7,
         *       "state": {
         *         "title": "Plan"
         *       },
         *       "missed": []
         *     }
         */
        RoomJoined: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "joined";
            /** @description Of the message that it answers. */
            id: string | null;
            room: components["schemas"]["RoomName"];
            /** @description Which of the members the client is. */
            member_id: string;
            /** @description All who are in the room, the client too. */
            members: components["schemas"]["RoomMember"][];
            seq: components["schemas"]["RoomSeq"];
            version: components["schemas"]["RoomVersion"];
            /** @description The whole state; null where `missed` holds all that changed it since the client was there. */
            state: {
                [key: string]: unknown;
            } | null;
            /** @description What was said and changed since, in order; empty for who is new. It has all of it only where `state` is null. */
            missed: (components["schemas"]["RoomMessageSent"] | components["schemas"]["RoomUpdated"])[];
        };
        /**
         * @description Somebody entered the room.
         * @example {
         *       "type": "member_joined",
         *       "room": "board-1",
         *       "member": {
         *         "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *         "presence": {
         *           "name": "Ada"
         *         },
         *         "joined_at": "2026-11-23T10:00:00.000Z"
         *       }
         *     }
         */
        RoomMemberJoined: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "member_joined";
            room: components["schemas"]["RoomName"];
            member: components["schemas"]["RoomMember"];
        };
        /**
         * @description Somebody left the room, or was lost; that a replica died is noticed within 20 seconds.
         * @example {
         *       "type": "member_left",
         *       "room": "board-1",
         *       "member_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d"
         *     }
         */
        RoomMemberLeft: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "member_left";
            room: components["schemas"]["RoomName"];
            /** @description Who left. */
            member_id: string;
        };
        /**
         * @description A member tells something else of itself.
         * @example {
         *       "type": "presence",
         *       "room": "board-1",
         *       "member_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "data": {
         *         "name": "Ada",
         *         "cursor": {
         *           "x": 11,
         *           "y": 20
         *         }
         *       }
         *     }
         */
        RoomPresenceChanged: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "presence";
            room: components["schemas"]["RoomName"];
            /** @description Who tells it. */
            member_id: string;
            data: components["schemas"]["RoomPresence"];
        };
        /**
         * @description A member said something.
         * @example {
         *       "type": "message",
         *       "room": "board-1",
         *       "seq": 42,
         *       "member_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "data": {
         *         "text": "Hello"
         *       },
         *       "created_at": "2026-11-23T10:00:00.000Z"
         *     }
         */
        RoomMessageSent: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "message";
            room: components["schemas"]["RoomName"];
            seq: components["schemas"]["RoomSeq"];
            /** @description Who said it. */
            member_id: string;
            /** @description What was said. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was said.
             */
            created_at: string;
        };
        /**
         * @description A member changed the shared state. Applying `data` to the state before gives this version.
         * @example {
         *       "type": "update",
         *       "room": "board-1",
         *       "seq": 43,
         *       "version": 7,
         *       "member_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
         *       "data": {
         *         "title": "Plan",
         *         "draft": null
         *       },
         *       "created_at": "2026-11-23T10:00:00.000Z"
         *     }
         */
        RoomUpdated: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "update";
            room: components["schemas"]["RoomName"];
            seq: components["schemas"]["RoomSeq"];
            version: components["schemas"]["RoomVersion"];
            /** @description Who changed it. */
            member_id: string;
            /** @description The merge patch. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was changed.
             */
            created_at: string;
        };
        /**
         * @description The message with this id was done and is kept. Only messages with an id are acknowledged.
         * @example {
         *       "type": "ack",
         *       "id": "u1",
         *       "room": "board-1",
         *       "seq": 43,
         *       "version": 7
         *     }
         */
        RoomAck: {
            /**
             * @description What kind of message this is.
             * @enum {string}
             */
            type: "ack";
            id: components["schemas"]["SocketMessageId"];
            room?: components["schemas"]["RoomName"];
            /** @description The place that a message or an update got. */
            seq?: number;
            /** @description The version that an update made. */
            version?: number;
        };
    };
    responses: {
        /** @description The account's role does not permit this operation. */
        AccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Access denied",
                 *       "message": "This operation needs the role admin.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request does not have the documented form. Nothing was charged. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Validation error",
                 *       "message": "name: is required",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "details": [
                 *         {
                 *           "field": "name",
                 *           "message": "is required"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The request conflicts with the resource's present state. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The access key is already revoked.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request is decided already; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        DecidedAlready: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The upgrade request is approved already.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There is nothing to write from, or `content` and `document_id` are both given; the text is too long or says nothing; for `api` it is no OpenAPI 3 document in JSON; the Idempotency-Key was used for another request; or the model's provider can't process this one, and the body is then the provider's own. Nothing was charged. */
        DocsUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "The OpenAPI document is no valid JSON.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The document is being processed or was processed already; or the account would have more than 2 GiB of documents with the text that was read; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. Nothing was charged. */
        DocumentInProcess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The document is being processed.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The file is of a format that is not read, is not what it is called, is broken, encrypted, too complex or without text; or the Idempotency-Key was used for another request. Nothing was charged. */
        DocumentRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "The file is called .pdf, but its bytes are those of a PNG image.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has 10,000 documents, or would have more than 2 GiB of them and of what was read from them; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        DocumentsFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 10000 documents; delete one first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Neither `what` nor `schema` is given; the schema is not one that is taken, or the text is too long for a model; the Idempotency-Key was used for another request; or the model's provider can't process this one, and the body is then the provider's own. Nothing was charged. */
        ExtractionUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "schema.properties.name must not have the keyword pattern.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description A call with this Idempotency-Key is still running, then retry after `Retry-After` seconds; or the account stores as many bytes in all as it may, so that neither what the call stores nor its answer for that key could be kept. Nothing was charged. */
        IdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "A call with this Idempotency-Key is still running.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The access key is missing, invalid or expired. */
        KeyRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request does not have the documented form, or the model's provider refused it; the body is then the provider's own. Nothing was charged. */
        ModelBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Validation error",
                 *       "message": "messages: is required",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "details": [
                 *         {
                 *           "field": "messages",
                 *           "message": "is required"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ValidationError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The body is too large, or the model's provider found the request too large. Nothing was charged. */
        ModelInputTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "The request is too large.",
                 *         "type": "invalid_request_error",
                 *         "param": null,
                 *         "code": "request_too_large"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The model does not exist, or its provider answered 404; the body is then the provider's own. Nothing was charged. */
        ModelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "The model does not exist.",
                 *         "type": "invalid_request_error",
                 *         "param": "model",
                 *         "code": "model_not_found"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The Idempotency-Key was used for another request, or the model's provider can't process this one; the body is then the provider's own. Nothing was charged. */
        ModelUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "The model does not exist.",
                 *         "type": "invalid_request_error",
                 *         "param": "model",
                 *         "code": "model_not_found"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description Only a model of an upstream can answer this, and none is configured: the message says what does without one; or the service is too busy, then retry after `Retry-After` seconds. Nothing was charged. */
        ModelUpstreamMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Model upstream not configured",
                 *       "message": "This operation needs an upstream model, and none is configured.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has no such resource. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Not Found",
                 *       "message": "No such access key.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The webhook is on, or its owner switched it off; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        NotSwitchedOff: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The webhook is active.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description An input has neither or both of `content` and `url`; it is no base64, no file of its type, or a file that is broken, encrypted or too large to be read; its address is refused or can't be fetched; the task and its parameters contradict each other; the Idempotency-Key was used for another request; or the model's provider can't process this one, and the body is then the provider's own. Nothing was charged. */
        OmmModelUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "inputs.0: give either content or url.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description An input has neither or both of `content` and `url`; it is no base64, no file of its type, or a file that is broken, encrypted or too large to be read; its address is refused or can't be fetched; or the Idempotency-Key was used for another request. Nothing was charged. */
        OmmUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "inputs.0: give either content or url.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The e-mail address is unknown or the password wrong. */
        PasswordRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The payment is confirmed, failed or expired already. */
        PaymentIsFinal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The payment is confirmed already.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The balance does not cover the call (`Insufficient credits`), or the key's spending limit does not (`Spending limit exceeded`). Nothing was charged. */
        PaymentRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentRequiredError"];
            };
        };
        /** @description The chain's node does not answer or no price can be had; retry after `Retry-After` seconds. */
        PaymentUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Service Unavailable",
                 *       "message": "BTC payments can't be taken right now: the chain can not be asked.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The file has none of the bytes that were asked for. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Range Not Satisfiable",
                 *       "message": "The file has 4096 bytes.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Too many calls; retry after `Retry-After` seconds. */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Rate limit exceeded",
                 *       "message": "At most 10 calls per 1 minute. Try again in 12 seconds.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "retry_after": 12,
                 *       "limit": 10,
                 *       "window": "minute"
                 *     }
                 */
                "application/json": components["schemas"]["RateLimitError"];
            };
        };
        /** @description The payment needs no review; or it has changed since it had the `expected_version`; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        ReviewNotAsSeen: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The payment has changed since it had this expected_version; read it again and decide by what it has become.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account would have more than 100,000 search items; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        SearchItemsFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 100000 search items; delete some first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Callers of several accounts have given this id to calls of theirs; name the account by `user_id`. */
        SeveralAccounts: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "Calls of several accounts were given this id by their callers; name the account by user_id.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has no such document; or the model does not exist, or its provider answered 404, and the body is then the provider's own. Nothing was charged. */
        SourceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Not Found",
                 *       "message": "No such document.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The document has not been processed yet; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. Nothing was charged. */
        SourceNotReady: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The document is not ready: process it first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Neither or both of `content` and `document_id` are given; the text is too long or says nothing; the Idempotency-Key was used for another request; or the model's provider can't process this one, and the body is then the provider's own. Nothing was charged. */
        SourceUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "Give either content or document_id.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
        /** @description The account has as many things of this kind as it may have, or stores as many bytes in all as it may (10 MiB, and 128 MiB for each USD that it has paid). Nothing was stored. */
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The account stores as much as it may: 10 MiB, and 128 MiB more for each USD that it has paid. Delete something, or add credit.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has 10,000 stories; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        StoriesFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 10000 stories; delete one first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The task has succeeded, failed or been cancelled already. */
        TaskHasEnded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The task has ended.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The operation would refuse the parameters, and `details` says why; or the Idempotency-Key was used for another request. Nothing was charged. */
        TaskUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "parameters.value: is required",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z",
                 *       "details": [
                 *         {
                 *           "field": "parameters.value",
                 *           "message": "is required"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The account token is missing, invalid or expired, or the current password is wrong. */
        TokenOrPasswordRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account token is missing, invalid or expired. */
        TokenRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has as many documents or chunks indexed as it may have; or other calls store and delete the same content; or the `document_id` is that of an uploaded document, whose entry is made by processing it alone; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        TooManyDocuments: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 50000 documents indexed; delete a document first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has 5 payments that are neither confirmed, failed nor expired; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        TooManyOpenPayments: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 5 open payments; pay one or let it expire first.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has 10,000 tasks that are not finished; or the account stores as many bytes in all as it may; or a call with this Idempotency-Key is still running, then retry after `Retry-After` seconds. */
        TooManyTasks: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "An account has at most 10000 tasks that are not finished; wait for some or cancel them.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Any other failure: 405 another method than the path has, which `Allow` names, 408 a body that did not arrive in time, 413 a body that is too large, 415 a compressed body, 500 internal error, 502 upstream error, 503 temporarily unavailable, 504 upstream timeout. Nothing was charged. */
        Unexpected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request is well-formed but asks for something that can't be done. */
        Unprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "expires_at lies in the past.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is compressed (`Content-Encoding`), which this service does not take. Nothing was charged. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unsupported Media Type",
                 *       "message": "The body must not be compressed: send it without Content-Encoding gzip.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The entry is that of an uploaded document, with which it is deleted. Nothing was deleted. */
        UploadedDocumentEntry: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Conflict",
                 *       "message": "The entry belongs to an uploaded document; DELETE /api/documents/0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f deletes both.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description What is wanted has no letter and no digit; the Idempotency-Key was used for another request; or the model's provider can't process this one, and the body is then the provider's own. Nothing was charged. */
        WishUnprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unprocessable",
                 *       "message": "prompt has no letter and no digit: it says nothing.",
                 *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                 *       "timestamp": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"] | components["schemas"]["UpstreamRefusal"];
            };
        };
    };
    parameters: {
        /** @description The delivery's id. */
        DeliveryId: string;
        /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
        EndDate: string;
        /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
        IdempotencyKey: string;
        /** @description The access key's id. */
        KeyId: string;
        /** @description How many records to return. */
        Limit: number;
        /** @description How many records to skip. */
        Offset: number;
        /** @description The direction of the sort. */
        Order: "asc" | "desc";
        /** @description The payment's id. */
        PaymentId: string;
        /** @description The same with the secret that was replaced last, while its overlap runs. */
        PreviousServiceSignature: string;
        /** @description `sha256=` and the HMAC-SHA256, in hexadecimal, of the raw body, with the webhook's secret as its key. Verify it against the bytes that arrived, and compare in constant time. */
        ServiceSignature: string;
        /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
        StartDate: string;
        /** @description The upgrade request's id. */
        UpgradeRequestId: string;
        /** @description The webhook's id. */
        WebhookId: string;
        /** @description The event_id, as Standard Webhooks call it. */
        WebhookMessageId: string;
        /** @description The signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256, in base64, of webhook-id, webhook-timestamp and the raw body, joined by dots. The key is what the base64 after `whsec_` stands for, or the text of a secret that does not begin so. While an overlap runs there is one for each secret. */
        WebhookSignature: string;
        /** @description When the attempt was made, in Unix seconds. Refuse what is minutes old, so that nobody can repeat it. */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessKey = components['schemas']['AccessKey'];
export type AccessKeyCounts = components['schemas']['AccessKeyCounts'];
export type AccessKeyReference = components['schemas']['AccessKeyReference'];
export type AccessKeySecret = components['schemas']['AccessKeySecret'];
export type AccessKeyUsage = components['schemas']['AccessKeyUsage'];
export type AccountLimits = components['schemas']['AccountLimits'];
export type AddCreditsRequest = components['schemas']['AddCreditsRequest'];
export type AdminAction = components['schemas']['AdminAction'];
export type AdminActionList = components['schemas']['AdminActionList'];
export type AdminCall = components['schemas']['AdminCall'];
export type AdminDelivery = components['schemas']['AdminDelivery'];
export type AdminDeliveryList = components['schemas']['AdminDeliveryList'];
export type AdminOperation = components['schemas']['AdminOperation'];
export type AdminPayment = components['schemas']['AdminPayment'];
export type AdminPaymentList = components['schemas']['AdminPaymentList'];
export type AdminUpgradeRequest = components['schemas']['AdminUpgradeRequest'];
export type AdminUpgradeRequestList = components['schemas']['AdminUpgradeRequestList'];
export type AdminUser = components['schemas']['AdminUser'];
export type AdminUserDetails = components['schemas']['AdminUserDetails'];
export type AdminUserList = components['schemas']['AdminUserList'];
export type AdminWebhook = components['schemas']['AdminWebhook'];
export type AdminWebhookList = components['schemas']['AdminWebhookList'];
export type Agent = components['schemas']['Agent'];
export type AgentAnswerMessage = components['schemas']['AgentAnswerMessage'];
export type AgentChat = components['schemas']['AgentChat'];
export type AgentChatResponse = components['schemas']['AgentChatResponse'];
export type AgentList = components['schemas']['AgentList'];
export type AgentListResponse = components['schemas']['AgentListResponse'];
export type AgentMaxTokens = components['schemas']['AgentMaxTokens'];
export type AgentMemory = components['schemas']['AgentMemory'];
export type AgentMemorySettings = components['schemas']['AgentMemorySettings'];
export type AgentMessage = components['schemas']['AgentMessage'];
export type AgentMetadata = components['schemas']['AgentMetadata'];
export type AgentModel = components['schemas']['AgentModel'];
export type AgentReference = components['schemas']['AgentReference'];
export type AgentResponse = components['schemas']['AgentResponse'];
export type AgentStep = components['schemas']['AgentStep'];
export type AgentStepToolCall = components['schemas']['AgentStepToolCall'];
export type AgentSystemPrompt = components['schemas']['AgentSystemPrompt'];
export type AgentTemperature = components['schemas']['AgentTemperature'];
export type AgentText = components['schemas']['AgentText'];
export type AgentTextResponse = components['schemas']['AgentTextResponse'];
export type AgentTools = components['schemas']['AgentTools'];
export type AgentUsage = components['schemas']['AgentUsage'];
export type AllowDegraded = components['schemas']['AllowDegraded'];
export type AnalyzeAdvancedRequest = components['schemas']['AnalyzeAdvancedRequest'];
export type AnalyzeInputsRequest = components['schemas']['AnalyzeInputsRequest'];
export type AnalyzeLegalRequest = components['schemas']['AnalyzeLegalRequest'];
export type AnalyzeProfessionalRequest = components['schemas']['AnalyzeProfessionalRequest'];
export type AnalyzeScholarRequest = components['schemas']['AnalyzeScholarRequest'];
export type AnomalyDetectedData = components['schemas']['AnomalyDetectedData'];
export type AnomalyDetectedEvent = components['schemas']['AnomalyDetectedEvent'];
export type AnswerTokensMax = components['schemas']['AnswerTokensMax'];
export type AnswerUsage = components['schemas']['AnswerUsage'];
export type AnsweredBy = components['schemas']['AnsweredBy'];
export type AnsweringModel = components['schemas']['AnsweringModel'];
export type ApiError = components['schemas']['ApiError'];
export type ApproveUpgradeRequest = components['schemas']['ApproveUpgradeRequest'];
export type Balance = components['schemas']['Balance'];
export type BalanceDepletedData = components['schemas']['BalanceDepletedData'];
export type BalanceDepletedEvent = components['schemas']['BalanceDepletedEvent'];
export type BalanceLowData = components['schemas']['BalanceLowData'];
export type BalanceLowEvent = components['schemas']['BalanceLowEvent'];
export type BalanceUpdatedData = components['schemas']['BalanceUpdatedData'];
export type BalanceUpdatedEvent = components['schemas']['BalanceUpdatedEvent'];
export type BalanceUpdatedMetadata = components['schemas']['BalanceUpdatedMetadata'];
export type Brainstorm = components['schemas']['Brainstorm'];
export type BrainstormCreativeRequest = components['schemas']['BrainstormCreativeRequest'];
export type BrainstormResponse = components['schemas']['BrainstormResponse'];
export type CategoryLimits = components['schemas']['CategoryLimits'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type ChatChoice = components['schemas']['ChatChoice'];
export type ChatChunkChoice = components['schemas']['ChatChunkChoice'];
export type ChatCompletion = components['schemas']['ChatCompletion'];
export type ChatCompletionChunk = components['schemas']['ChatCompletionChunk'];
export type ChatCompletionEvent = components['schemas']['ChatCompletionEvent'];
export type ChatCompletionMessage = components['schemas']['ChatCompletionMessage'];
export type ChatContentPart = components['schemas']['ChatContentPart'];
export type ChatDelta = components['schemas']['ChatDelta'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatWithAgentRequest = components['schemas']['ChatWithAgentRequest'];
export type CiteScholarRequest = components['schemas']['CiteScholarRequest'];
export type ClassifyResult = components['schemas']['ClassifyResult'];
export type CompareLegalRequest = components['schemas']['CompareLegalRequest'];
export type ComparedText = components['schemas']['ComparedText'];
export type CompletionUsage = components['schemas']['CompletionUsage'];
export type ContentAnalysis = components['schemas']['ContentAnalysis'];
export type ContentAnalysisResponse = components['schemas']['ContentAnalysisResponse'];
export type ContentPartAddedEvent = components['schemas']['ContentPartAddedEvent'];
export type ContentPartDoneEvent = components['schemas']['ContentPartDoneEvent'];
export type Costs = components['schemas']['Costs'];
export type CreateAgentRequest = components['schemas']['CreateAgentRequest'];
export type CreateChatCompletionRequest = components['schemas']['CreateChatCompletionRequest'];
export type CreateCompletionRequest = components['schemas']['CreateCompletionRequest'];
export type CreateEmbeddingRequest = components['schemas']['CreateEmbeddingRequest'];
export type CreateKeyRequest = components['schemas']['CreateKeyRequest'];
export type CreateMemoryBatchRequest = components['schemas']['CreateMemoryBatchRequest'];
export type CreateMemoryRequest = components['schemas']['CreateMemoryRequest'];
export type CreatePaymentRequest = components['schemas']['CreatePaymentRequest'];
export type CreateResponseRequest = components['schemas']['CreateResponseRequest'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type CreativeForm = components['schemas']['CreativeForm'];
export type CreativeIdea = components['schemas']['CreativeIdea'];
export type CreativePart = components['schemas']['CreativePart'];
export type CreativeText = components['schemas']['CreativeText'];
export type CreativeTextResponse = components['schemas']['CreativeTextResponse'];
export type CustomRateLimits = components['schemas']['CustomRateLimits'];
export type CustomRateLimitsRequest = components['schemas']['CustomRateLimitsRequest'];
export type DailyUsage = components['schemas']['DailyUsage'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DocsAnchor = components['schemas']['DocsAnchor'];
export type DocsHeading = components['schemas']['DocsHeading'];
export type DocsImprovement = components['schemas']['DocsImprovement'];
export type DocsImprovementResponse = components['schemas']['DocsImprovementResponse'];
export type DocsKind = components['schemas']['DocsKind'];
export type DocsLint = components['schemas']['DocsLint'];
export type DocsNumberingGap = components['schemas']['DocsNumberingGap'];
export type DocsSection = components['schemas']['DocsSection'];
export type DocsStructure = components['schemas']['DocsStructure'];
export type DocsStructureResponse = components['schemas']['DocsStructureResponse'];
export type DocumentAmount = components['schemas']['DocumentAmount'];
export type DocumentDate = components['schemas']['DocumentDate'];
export type DocumentEntity = components['schemas']['DocumentEntity'];
export type DocumentExtract = components['schemas']['DocumentExtract'];
export type DocumentExtractResponse = components['schemas']['DocumentExtractResponse'];
export type DocumentFileType = components['schemas']['DocumentFileType'];
export type DocumentKeyValue = components['schemas']['DocumentKeyValue'];
export type DocumentList = components['schemas']['DocumentList'];
export type DocumentListResponse = components['schemas']['DocumentListResponse'];
export type DocumentResponse = components['schemas']['DocumentResponse'];
export type DocumentStatus = components['schemas']['DocumentStatus'];
export type DocumentTable = components['schemas']['DocumentTable'];
export type Embedding = components['schemas']['Embedding'];
export type EmbeddingInput = components['schemas']['EmbeddingInput'];
export type EmbeddingList = components['schemas']['EmbeddingList'];
export type EmbeddingUsage = components['schemas']['EmbeddingUsage'];
export type EnableWebhookRequest = components['schemas']['EnableWebhookRequest'];
export type Engine = components['schemas']['Engine'];
export type EnhanceCreativeRequest = components['schemas']['EnhanceCreativeRequest'];
export type Enhancement = components['schemas']['Enhancement'];
export type EnhancementResponse = components['schemas']['EnhancementResponse'];
export type EntitiesResult = components['schemas']['EntitiesResult'];
export type EntityType = components['schemas']['EntityType'];
export type EventType = components['schemas']['EventType'];
export type ExtractDocumentRequest = components['schemas']['ExtractDocumentRequest'];
export type ExtractLegalRequest = components['schemas']['ExtractLegalRequest'];
export type FilePart = components['schemas']['FilePart'];
export type FoundEntity = components['schemas']['FoundEntity'];
export type FoundKeyValue = components['schemas']['FoundKeyValue'];
export type FoundKeyword = components['schemas']['FoundKeyword'];
export type FoundTextTable = components['schemas']['FoundTextTable'];
export type FunctionCallArgumentsDeltaEvent = components['schemas']['FunctionCallArgumentsDeltaEvent'];
export type FunctionCallArgumentsDoneEvent = components['schemas']['FunctionCallArgumentsDoneEvent'];
export type FunctionCallDelta = components['schemas']['FunctionCallDelta'];
export type GenerateAdvancedRequest = components['schemas']['GenerateAdvancedRequest'];
export type GenerateCreativeRequest = components['schemas']['GenerateCreativeRequest'];
export type GenerateDocsRequest = components['schemas']['GenerateDocsRequest'];
export type GenerateFromInputsRequest = components['schemas']['GenerateFromInputsRequest'];
export type GenerateProfessionalRequest = components['schemas']['GenerateProfessionalRequest'];
export type GenerateStoryRequest = components['schemas']['GenerateStoryRequest'];
export type GenerateWithAgentRequest = components['schemas']['GenerateWithAgentRequest'];
export type GenerateWithRagRequest = components['schemas']['GenerateWithRagRequest'];
export type GeneratedContent = components['schemas']['GeneratedContent'];
export type GeneratedContentResponse = components['schemas']['GeneratedContentResponse'];
export type GeneratedDocs = components['schemas']['GeneratedDocs'];
export type GeneratedDocsResponse = components['schemas']['GeneratedDocsResponse'];
export type Health = components['schemas']['Health'];
export type ImageUrl = components['schemas']['ImageUrl'];
export type ImageUrlPart = components['schemas']['ImageUrlPart'];
export type ImproveDocsRequest = components['schemas']['ImproveDocsRequest'];
export type IndexRagDocumentRequest = components['schemas']['IndexRagDocumentRequest'];
export type IndexSearchItemsRequest = components['schemas']['IndexSearchItemsRequest'];
export type IndexedRagDocument = components['schemas']['IndexedRagDocument'];
export type IndexedRagDocumentResponse = components['schemas']['IndexedRagDocumentResponse'];
export type IndexedSearchItem = components['schemas']['IndexedSearchItem'];
export type IndexedSearchItems = components['schemas']['IndexedSearchItems'];
export type IndexedSearchItemsResponse = components['schemas']['IndexedSearchItemsResponse'];
export type InlineFile = components['schemas']['InlineFile'];
export type InputAudio = components['schemas']['InputAudio'];
export type InputAudioPart = components['schemas']['InputAudioPart'];
export type InputFilePart = components['schemas']['InputFilePart'];
export type InputImagePart = components['schemas']['InputImagePart'];
export type InputTextPart = components['schemas']['InputTextPart'];
export type KeyCost = components['schemas']['KeyCost'];
export type KeyRevokedData = components['schemas']['KeyRevokedData'];
export type KeyRevokedEvent = components['schemas']['KeyRevokedEvent'];
export type KeyValuesResult = components['schemas']['KeyValuesResult'];
export type KeywordsResult = components['schemas']['KeywordsResult'];
export type KnownChatContentPart = components['schemas']['KnownChatContentPart'];
export type KnownResponseContentPart = components['schemas']['KnownResponseContentPart'];
export type LanguageResult = components['schemas']['LanguageResult'];
export type LanguageScore = components['schemas']['LanguageScore'];
export type LegalAmount = components['schemas']['LegalAmount'];
export type LegalAnalysis = components['schemas']['LegalAnalysis'];
export type LegalAnalysisResponse = components['schemas']['LegalAnalysisResponse'];
export type LegalChange = components['schemas']['LegalChange'];
export type LegalClause = components['schemas']['LegalClause'];
export type LegalClauseType = components['schemas']['LegalClauseType'];
export type LegalComparison = components['schemas']['LegalComparison'];
export type LegalComparisonResponse = components['schemas']['LegalComparisonResponse'];
export type LegalDate = components['schemas']['LegalDate'];
export type LegalDefinition = components['schemas']['LegalDefinition'];
export type LegalDisclaimer = components['schemas']['LegalDisclaimer'];
export type LegalFacts = components['schemas']['LegalFacts'];
export type LegalFactsResponse = components['schemas']['LegalFactsResponse'];
export type LegalGoverningLaw = components['schemas']['LegalGoverningLaw'];
export type LegalObligation = components['schemas']['LegalObligation'];
export type LegalParty = components['schemas']['LegalParty'];
export type LegalSummary = components['schemas']['LegalSummary'];
export type LegalSummaryResponse = components['schemas']['LegalSummaryResponse'];
export type LoginRequest = components['schemas']['LoginRequest'];
export type Memory = components['schemas']['Memory'];
export type MemoryBatch = components['schemas']['MemoryBatch'];
export type MemoryBatchResponse = components['schemas']['MemoryBatchResponse'];
export type MemoryList = components['schemas']['MemoryList'];
export type MemoryListResponse = components['schemas']['MemoryListResponse'];
export type MemoryResponse = components['schemas']['MemoryResponse'];
export type MemorySearchResponse = components['schemas']['MemorySearchResponse'];
export type MemorySearchResult = components['schemas']['MemorySearchResult'];
export type MemorySearchResults = components['schemas']['MemorySearchResults'];
export type MemoryStats = components['schemas']['MemoryStats'];
export type MemoryStatsResponse = components['schemas']['MemoryStatsResponse'];
export type Model = components['schemas']['Model'];
export type ModelList = components['schemas']['ModelList'];
export type ModelResponse = components['schemas']['ModelResponse'];
export type NamespaceStats = components['schemas']['NamespaceStats'];
export type NewUpgradeRequest = components['schemas']['NewUpgradeRequest'];
export type NotReady = components['schemas']['NotReady'];
export type OmmAnalysis = components['schemas']['OmmAnalysis'];
export type OmmAnalysisResponse = components['schemas']['OmmAnalysisResponse'];
export type OmmAnalyzedInput = components['schemas']['OmmAnalyzedInput'];
export type OmmBatch = components['schemas']['OmmBatch'];
export type OmmBatchError = components['schemas']['OmmBatchError'];
export type OmmBatchItem = components['schemas']['OmmBatchItem'];
export type OmmBatchOperation = components['schemas']['OmmBatchOperation'];
export type OmmBatchResponse = components['schemas']['OmmBatchResponse'];
export type OmmBatchResult = components['schemas']['OmmBatchResult'];
export type OmmCapability = components['schemas']['OmmCapability'];
export type OmmCrop = components['schemas']['OmmCrop'];
export type OmmDocumentFacts = components['schemas']['OmmDocumentFacts'];
export type OmmEntity = components['schemas']['OmmEntity'];
export type OmmExifFacts = components['schemas']['OmmExifFacts'];
export type OmmFoundType = components['schemas']['OmmFoundType'];
export type OmmGenerated = components['schemas']['OmmGenerated'];
export type OmmGeneratedResponse = components['schemas']['OmmGeneratedResponse'];
export type OmmImageFacts = components['schemas']['OmmImageFacts'];
export type OmmInput = components['schemas']['OmmInput'];
export type OmmInputTokensMax = components['schemas']['OmmInputTokensMax'];
export type OmmInputs = components['schemas']['OmmInputs'];
export type OmmKeyword = components['schemas']['OmmKeyword'];
export type OmmModel = components['schemas']['OmmModel'];
export type OmmModels = components['schemas']['OmmModels'];
export type OmmModelsResponse = components['schemas']['OmmModelsResponse'];
export type OmmParameters = components['schemas']['OmmParameters'];
export type OmmProcessed = components['schemas']['OmmProcessed'];
export type OmmProcessedResponse = components['schemas']['OmmProcessedResponse'];
export type OmmReadability = components['schemas']['OmmReadability'];
export type OmmResize = components['schemas']['OmmResize'];
export type OmmResult = components['schemas']['OmmResult'];
export type OmmSummary = components['schemas']['OmmSummary'];
export type OmmTable = components['schemas']['OmmTable'];
export type OmmTarget = components['schemas']['OmmTarget'];
export type OmmTask = components['schemas']['OmmTask'];
export type OmmTextFacts = components['schemas']['OmmTextFacts'];
export type OmmTextStatistics = components['schemas']['OmmTextStatistics'];
export type OmmTransformed = components['schemas']['OmmTransformed'];
export type OmmTransformedResponse = components['schemas']['OmmTransformedResponse'];
export type OmmVariable = components['schemas']['OmmVariable'];
export type OperationUsage = components['schemas']['OperationUsage'];
export type OptimizationGoal = components['schemas']['OptimizationGoal'];
export type OptimizationMetrics = components['schemas']['OptimizationMetrics'];
export type OptimizeAdvancedRequest = components['schemas']['OptimizeAdvancedRequest'];
export type OptimizeProfessionalRequest = components['schemas']['OptimizeProfessionalRequest'];
export type OptimizedContent = components['schemas']['OptimizedContent'];
export type OptimizedContentResponse = components['schemas']['OptimizedContentResponse'];
export type OptimizedText = components['schemas']['OptimizedText'];
export type OptimizedTextMetrics = components['schemas']['OptimizedTextMetrics'];
export type OptimizedTextResponse = components['schemas']['OptimizedTextResponse'];
export type OtherContentPart = components['schemas']['OtherContentPart'];
export type OutlineHeading = components['schemas']['OutlineHeading'];
export type OutlineResult = components['schemas']['OutlineResult'];
export type OutputItemAddedEvent = components['schemas']['OutputItemAddedEvent'];
export type OutputItemDoneEvent = components['schemas']['OutputItemDoneEvent'];
export type OutputTextDeltaEvent = components['schemas']['OutputTextDeltaEvent'];
export type OutputTextDoneEvent = components['schemas']['OutputTextDoneEvent'];
export type OutputTextPart = components['schemas']['OutputTextPart'];
export type PasswordChanged = components['schemas']['PasswordChanged'];
export type Payment = components['schemas']['Payment'];
export type PaymentConfirmedData = components['schemas']['PaymentConfirmedData'];
export type PaymentConfirmedEvent = components['schemas']['PaymentConfirmedEvent'];
export type PaymentConfirmingData = components['schemas']['PaymentConfirmingData'];
export type PaymentConfirmingEvent = components['schemas']['PaymentConfirmingEvent'];
export type PaymentCreatedData = components['schemas']['PaymentCreatedData'];
export type PaymentCreatedEvent = components['schemas']['PaymentCreatedEvent'];
export type PaymentCurrency = components['schemas']['PaymentCurrency'];
export type PaymentExpiredData = components['schemas']['PaymentExpiredData'];
export type PaymentExpiredEvent = components['schemas']['PaymentExpiredEvent'];
export type PaymentFailedData = components['schemas']['PaymentFailedData'];
export type PaymentFailedEvent = components['schemas']['PaymentFailedEvent'];
export type PaymentList = components['schemas']['PaymentList'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentMethodList = components['schemas']['PaymentMethodList'];
export type PaymentPriceSource = components['schemas']['PaymentPriceSource'];
export type PaymentRequiredError = components['schemas']['PaymentRequiredError'];
export type PaymentReview = components['schemas']['PaymentReview'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PaymentTransfer = components['schemas']['PaymentTransfer'];
export type PaymentVersion = components['schemas']['PaymentVersion'];
export type Price = components['schemas']['Price'];
export type PriceCost = components['schemas']['PriceCost'];
export type PriceList = components['schemas']['PriceList'];
export type ProcessAdvancedRequest = components['schemas']['ProcessAdvancedRequest'];
export type ProcessInputsRequest = components['schemas']['ProcessInputsRequest'];
export type ProcessedContent = components['schemas']['ProcessedContent'];
export type ProcessedContentResponse = components['schemas']['ProcessedContentResponse'];
export type ProcessingLabel = components['schemas']['ProcessingLabel'];
export type ProcessingParameters = components['schemas']['ProcessingParameters'];
export type ProcessingResult = components['schemas']['ProcessingResult'];
export type ProcessingType = components['schemas']['ProcessingType'];
export type ProfessionalAnalysis = components['schemas']['ProfessionalAnalysis'];
export type ProfessionalAnalysisResponse = components['schemas']['ProfessionalAnalysisResponse'];
export type ProfessionalChange = components['schemas']['ProfessionalChange'];
export type ProfessionalDocument = components['schemas']['ProfessionalDocument'];
export type ProfessionalDocumentResponse = components['schemas']['ProfessionalDocumentResponse'];
export type ProfessionalHeading = components['schemas']['ProfessionalHeading'];
export type ProfessionalIssue = components['schemas']['ProfessionalIssue'];
export type ProfessionalMetrics = components['schemas']['ProfessionalMetrics'];
export type ProfessionalSection = components['schemas']['ProfessionalSection'];
export type ProfessionalTone = components['schemas']['ProfessionalTone'];
export type PromptPart = components['schemas']['PromptPart'];
export type QueryMemoriesRequest = components['schemas']['QueryMemoriesRequest'];
export type QuotedSentence = components['schemas']['QuotedSentence'];
export type RagAnswer = components['schemas']['RagAnswer'];
export type RagAnswerResponse = components['schemas']['RagAnswerResponse'];
export type RagChunk = components['schemas']['RagChunk'];
export type RagCitation = components['schemas']['RagCitation'];
export type RagCollection = components['schemas']['RagCollection'];
export type RagCollectionStats = components['schemas']['RagCollectionStats'];
export type RagDeltaEvent = components['schemas']['RagDeltaEvent'];
export type RagDocument = components['schemas']['RagDocument'];
export type RagDocumentEntry = components['schemas']['RagDocumentEntry'];
export type RagDocumentId = components['schemas']['RagDocumentId'];
export type RagDocumentList = components['schemas']['RagDocumentList'];
export type RagDocumentListResponse = components['schemas']['RagDocumentListResponse'];
export type RagDocumentResponse = components['schemas']['RagDocumentResponse'];
export type RagDoneEvent = components['schemas']['RagDoneEvent'];
export type RagEvent = components['schemas']['RagEvent'];
export type RagFilter = components['schemas']['RagFilter'];
export type RagMinScore = components['schemas']['RagMinScore'];
export type RagRetrieval = components['schemas']['RagRetrieval'];
export type RagRetrievalResponse = components['schemas']['RagRetrievalResponse'];
export type RagStartEvent = components['schemas']['RagStartEvent'];
export type RagStats = components['schemas']['RagStats'];
export type RagStatsResponse = components['schemas']['RagStatsResponse'];
export type RateLimitError = components['schemas']['RateLimitError'];
export type RateLimitExceededData = components['schemas']['RateLimitExceededData'];
export type RateLimitExceededEvent = components['schemas']['RateLimitExceededEvent'];
export type RatesInForce = components['schemas']['RatesInForce'];
export type ReadabilityResult = components['schemas']['ReadabilityResult'];
export type Readiness = components['schemas']['Readiness'];
export type ReadinessCheck = components['schemas']['ReadinessCheck'];
export type ReasoningTextDeltaEvent = components['schemas']['ReasoningTextDeltaEvent'];
export type ReasoningTextDoneEvent = components['schemas']['ReasoningTextDoneEvent'];
export type ReasoningTextPart = components['schemas']['ReasoningTextPart'];
export type Receipt = components['schemas']['Receipt'];
export type Reconciliation = components['schemas']['Reconciliation'];
export type ReconciliationMismatch = components['schemas']['ReconciliationMismatch'];
export type RefusalDeltaEvent = components['schemas']['RefusalDeltaEvent'];
export type RefusalDoneEvent = components['schemas']['RefusalDoneEvent'];
export type RefusalPart = components['schemas']['RefusalPart'];
export type RegisterRequest = components['schemas']['RegisterRequest'];
export type RejectUpgradeRequest = components['schemas']['RejectUpgradeRequest'];
export type ReplayDeliveriesRequest = components['schemas']['ReplayDeliveriesRequest'];
export type ReplayedDeliveries = components['schemas']['ReplayedDeliveries'];
export type RequiredConfirmations = components['schemas']['RequiredConfirmations'];
export type ResearchScholarRequest = components['schemas']['ResearchScholarRequest'];
export type ResolvePaymentRequest = components['schemas']['ResolvePaymentRequest'];
export type ResponseCompletedEvent = components['schemas']['ResponseCompletedEvent'];
export type ResponseContentPart = components['schemas']['ResponseContentPart'];
export type ResponseCreatedEvent = components['schemas']['ResponseCreatedEvent'];
export type ResponseErrorEvent = components['schemas']['ResponseErrorEvent'];
export type ResponseEvent = components['schemas']['ResponseEvent'];
export type ResponseFailedEvent = components['schemas']['ResponseFailedEvent'];
export type ResponseFormat = components['schemas']['ResponseFormat'];
export type ResponseInProgressEvent = components['schemas']['ResponseInProgressEvent'];
export type ResponseIncompleteEvent = components['schemas']['ResponseIncompleteEvent'];
export type ResponseInputItem = components['schemas']['ResponseInputItem'];
export type ResponseMetadata = components['schemas']['ResponseMetadata'];
export type ResponseOutputItem = components['schemas']['ResponseOutputItem'];
export type ResponseOutputPart = components['schemas']['ResponseOutputPart'];
export type ResponseReasoning = components['schemas']['ResponseReasoning'];
export type ResponseText = components['schemas']['ResponseText'];
export type ResponseTextFormat = components['schemas']['ResponseTextFormat'];
export type ResponseUsage = components['schemas']['ResponseUsage'];
export type RetrieveRagChunksRequest = components['schemas']['RetrieveRagChunksRequest'];
export type RewriteResult = components['schemas']['RewriteResult'];
export type RotateKeyRequest = components['schemas']['RotateKeyRequest'];
export type RotateWebhookSecretRequest = components['schemas']['RotateWebhookSecretRequest'];
export type RunOmmBatchRequest = components['schemas']['RunOmmBatchRequest'];
export type ScholarAnalysis = components['schemas']['ScholarAnalysis'];
export type ScholarAnalysisResponse = components['schemas']['ScholarAnalysisResponse'];
export type ScholarBibliographyEntry = components['schemas']['ScholarBibliographyEntry'];
export type ScholarCitation = components['schemas']['ScholarCitation'];
export type ScholarCitationCounts = components['schemas']['ScholarCitationCounts'];
export type ScholarCitationPlace = components['schemas']['ScholarCitationPlace'];
export type ScholarCitations = components['schemas']['ScholarCitations'];
export type ScholarCitationsResponse = components['schemas']['ScholarCitationsResponse'];
export type ScholarFinding = components['schemas']['ScholarFinding'];
export type ScholarFindingCitation = components['schemas']['ScholarFindingCitation'];
export type ScholarInText = components['schemas']['ScholarInText'];
export type ScholarReference = components['schemas']['ScholarReference'];
export type ScholarResearch = components['schemas']['ScholarResearch'];
export type ScholarResearchResponse = components['schemas']['ScholarResearchResponse'];
export type ScholarSection = components['schemas']['ScholarSection'];
export type ScholarSectionKind = components['schemas']['ScholarSectionKind'];
export type ScholarSectionPoints = components['schemas']['ScholarSectionPoints'];
export type ScholarSource = components['schemas']['ScholarSource'];
export type ScholarSourceName = components['schemas']['ScholarSourceName'];
export type ScholarStatistic = components['schemas']['ScholarStatistic'];
export type ScholarSummary = components['schemas']['ScholarSummary'];
export type ScholarSummaryResponse = components['schemas']['ScholarSummaryResponse'];
export type SearchHighlight = components['schemas']['SearchHighlight'];
export type SearchItem = components['schemas']['SearchItem'];
export type SearchItemId = components['schemas']['SearchItemId'];
export type SearchItemInput = components['schemas']['SearchItemInput'];
export type SearchItemResponse = components['schemas']['SearchItemResponse'];
export type SearchMemoriesRequest = components['schemas']['SearchMemoriesRequest'];
export type SearchRequest = components['schemas']['SearchRequest'];
export type SearchResponse = components['schemas']['SearchResponse'];
export type SearchResult = components['schemas']['SearchResult'];
export type SearchResults = components['schemas']['SearchResults'];
export type SentimentResult = components['schemas']['SentimentResult'];
export type Session = components['schemas']['Session'];
export type SessionUser = components['schemas']['SessionUser'];
export type SourceContent = components['schemas']['SourceContent'];
export type SourceDocumentId = components['schemas']['SourceDocumentId'];
export type SpendingLimits = components['schemas']['SpendingLimits'];
export type SpendingLimitsRequest = components['schemas']['SpendingLimitsRequest'];
export type StatisticsResult = components['schemas']['StatisticsResult'];
export type StopSequences = components['schemas']['StopSequences'];
export type StoredDocument = components['schemas']['StoredDocument'];
export type Story = components['schemas']['Story'];
export type StoryAct = components['schemas']['StoryAct'];
export type StoryCharacter = components['schemas']['StoryCharacter'];
export type StoryCharacterInput = components['schemas']['StoryCharacterInput'];
export type StoryDeltaEvent = components['schemas']['StoryDeltaEvent'];
export type StoryDoneEvent = components['schemas']['StoryDoneEvent'];
export type StoryEvent = components['schemas']['StoryEvent'];
export type StoryLength = components['schemas']['StoryLength'];
export type StoryList = components['schemas']['StoryList'];
export type StoryListResponse = components['schemas']['StoryListResponse'];
export type StoryResponse = components['schemas']['StoryResponse'];
export type StreamError = components['schemas']['StreamError'];
export type StreamErrorReason = components['schemas']['StreamErrorReason'];
export type StreamedUsage = components['schemas']['StreamedUsage'];
export type StructureDocsRequest = components['schemas']['StructureDocsRequest'];
export type SubmitTaskRequest = components['schemas']['SubmitTaskRequest'];
export type SummarizeLegalRequest = components['schemas']['SummarizeLegalRequest'];
export type SummarizeResult = components['schemas']['SummarizeResult'];
export type SummarizeScholarRequest = components['schemas']['SummarizeScholarRequest'];
export type SystemEngine = components['schemas']['SystemEngine'];
export type SystemFeature = components['schemas']['SystemFeature'];
export type SystemInfo = components['schemas']['SystemInfo'];
export type SystemInfoResponse = components['schemas']['SystemInfoResponse'];
export type SystemLatency = components['schemas']['SystemLatency'];
export type SystemMetrics = components['schemas']['SystemMetrics'];
export type SystemMetricsResponse = components['schemas']['SystemMetricsResponse'];
export type SystemQueue = components['schemas']['SystemQueue'];
export type SystemResources = components['schemas']['SystemResources'];
export type SystemResourcesResponse = components['schemas']['SystemResourcesResponse'];
export type TablesResult = components['schemas']['TablesResult'];
export type Task = components['schemas']['Task'];
export type TaskEntry = components['schemas']['TaskEntry'];
export type TaskError = components['schemas']['TaskError'];
export type TaskList = components['schemas']['TaskList'];
export type TaskListResponse = components['schemas']['TaskListResponse'];
export type TaskPriority = components['schemas']['TaskPriority'];
export type TaskResponse = components['schemas']['TaskResponse'];
export type TaskStatus = components['schemas']['TaskStatus'];
export type TaskType = components['schemas']['TaskType'];
export type TemplateVariable = components['schemas']['TemplateVariable'];
export type TestWebhookRequest = components['schemas']['TestWebhookRequest'];
export type TextChangeMade = components['schemas']['TextChangeMade'];
export type TextChoice = components['schemas']['TextChoice'];
export type TextChunkChoice = components['schemas']['TextChunkChoice'];
export type TextCompletion = components['schemas']['TextCompletion'];
export type TextCompletionChunk = components['schemas']['TextCompletionChunk'];
export type TextCompletionEvent = components['schemas']['TextCompletionEvent'];
export type TextCounts = components['schemas']['TextCounts'];
export type TextPart = components['schemas']['TextPart'];
export type TextReadability = components['schemas']['TextReadability'];
export type TextSuggestion = components['schemas']['TextSuggestion'];
export type TextTone = components['schemas']['TextTone'];
export type ToolCallDelta = components['schemas']['ToolCallDelta'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionList = components['schemas']['TransactionList'];
export type TransactionStats = components['schemas']['TransactionStats'];
export type TransactionTypeTotal = components['schemas']['TransactionTypeTotal'];
export type TransformInputRequest = components['schemas']['TransformInputRequest'];
export type TranslateResult = components['schemas']['TranslateResult'];
export type UpdateAgentRequest = components['schemas']['UpdateAgentRequest'];
export type UpdateUserRequest = components['schemas']['UpdateUserRequest'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type UpgradeRequest = components['schemas']['UpgradeRequest'];
export type UploadDocumentRequest = components['schemas']['UploadDocumentRequest'];
export type UploadMetadata = components['schemas']['UploadMetadata'];
export type UploadedDocument = components['schemas']['UploadedDocument'];
export type UploadedDocumentResponse = components['schemas']['UploadedDocumentResponse'];
export type UpstreamRefusal = components['schemas']['UpstreamRefusal'];
export type Usage = components['schemas']['Usage'];
export type UsageLimitExceededData = components['schemas']['UsageLimitExceededData'];
export type UsageLimitExceededEvent = components['schemas']['UsageLimitExceededEvent'];
export type UsagePeriod = components['schemas']['UsagePeriod'];
export type UsageSpikeData = components['schemas']['UsageSpikeData'];
export type UsageSpikeEvent = components['schemas']['UsageSpikeEvent'];
export type UsageSummary = components['schemas']['UsageSummary'];
export type UsageThresholdData = components['schemas']['UsageThresholdData'];
export type UsageThresholdEvent = components['schemas']['UsageThresholdEvent'];
export type UsageTotals = components['schemas']['UsageTotals'];
export type User = components['schemas']['User'];
export type UserReference = components['schemas']['UserReference'];
export type ValidationDetail = components['schemas']['ValidationDetail'];
export type ValidationError = components['schemas']['ValidationError'];
export type WaitingReceiver = components['schemas']['WaitingReceiver'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCounts = components['schemas']['WebhookCounts'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookSubscription = components['schemas']['WebhookSubscription'];
export type WebhooksHealth = components['schemas']['WebhooksHealth'];
export type ListKeysQuery = components['schemas']['ListKeysQuery'];
export type ListTransactionsQuery = components['schemas']['ListTransactionsQuery'];
export type GetTransactionStatsQuery = components['schemas']['GetTransactionStatsQuery'];
export type ListPaymentsQuery = components['schemas']['ListPaymentsQuery'];
export type GetUsageQuery = components['schemas']['GetUsageQuery'];
export type GetCostsQuery = components['schemas']['GetCostsQuery'];
export type GetKeyUsageQuery = components['schemas']['GetKeyUsageQuery'];
export type ListAgentsQuery = components['schemas']['ListAgentsQuery'];
export type ListRagDocumentsQuery = components['schemas']['ListRagDocumentsQuery'];
export type ListTasksQuery = components['schemas']['ListTasksQuery'];
export type ListStoriesQuery = components['schemas']['ListStoriesQuery'];
export type ListDocumentsQuery = components['schemas']['ListDocumentsQuery'];
export type ListWebhooksQuery = components['schemas']['ListWebhooksQuery'];
export type ListDeliveriesQuery = components['schemas']['ListDeliveriesQuery'];
export type ListUsersQuery = components['schemas']['ListUsersQuery'];
export type ListAllPaymentsQuery = components['schemas']['ListAllPaymentsQuery'];
export type ListAllWebhooksQuery = components['schemas']['ListAllWebhooksQuery'];
export type ListAbandonedDeliveriesQuery = components['schemas']['ListAbandonedDeliveriesQuery'];
export type ListUpgradeRequestsQuery = components['schemas']['ListUpgradeRequestsQuery'];
export type GetCallQuery = components['schemas']['GetCallQuery'];
export type ListAdminActionsQuery = components['schemas']['ListAdminActionsQuery'];
export type SocketMessageId = components['schemas']['SocketMessageId'];
export type SocketIdempotencyKey = components['schemas']['SocketIdempotencyKey'];
export type SocketError = components['schemas']['SocketError'];
export type StreamGenerate = components['schemas']['StreamGenerate'];
export type StreamCancel = components['schemas']['StreamCancel'];
export type StreamStart = components['schemas']['StreamStart'];
export type StreamDelta = components['schemas']['StreamDelta'];
export type StreamDone = components['schemas']['StreamDone'];
export type StreamUsage = components['schemas']['StreamUsage'];
export type RoomName = components['schemas']['RoomName'];
export type RoomSeq = components['schemas']['RoomSeq'];
export type RoomVersion = components['schemas']['RoomVersion'];
export type RoomPresence = components['schemas']['RoomPresence'];
export type RoomMember = components['schemas']['RoomMember'];
export type RoomJoin = components['schemas']['RoomJoin'];
export type RoomLeave = components['schemas']['RoomLeave'];
export type RoomMessage = components['schemas']['RoomMessage'];
export type RoomSetPresence = components['schemas']['RoomSetPresence'];
export type RoomUpdate = components['schemas']['RoomUpdate'];
export type RoomPing = components['schemas']['RoomPing'];
export type RoomJoined = components['schemas']['RoomJoined'];
export type RoomMemberJoined = components['schemas']['RoomMemberJoined'];
export type RoomMemberLeft = components['schemas']['RoomMemberLeft'];
export type RoomPresenceChanged = components['schemas']['RoomPresenceChanged'];
export type RoomMessageSent = components['schemas']['RoomMessageSent'];
export type RoomUpdated = components['schemas']['RoomUpdated'];
export type RoomAck = components['schemas']['RoomAck'];
export type ResponseAccessDenied = components['responses']['AccessDenied'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseDecidedAlready = components['responses']['DecidedAlready'];
export type ResponseDocsUnprocessable = components['responses']['DocsUnprocessable'];
export type ResponseDocumentInProcess = components['responses']['DocumentInProcess'];
export type ResponseDocumentRefused = components['responses']['DocumentRefused'];
export type ResponseDocumentsFull = components['responses']['DocumentsFull'];
export type ResponseExtractionUnprocessable = components['responses']['ExtractionUnprocessable'];
export type ResponseIdempotencyConflict = components['responses']['IdempotencyConflict'];
export type ResponseKeyRefused = components['responses']['KeyRefused'];
export type ResponseModelBadRequest = components['responses']['ModelBadRequest'];
export type ResponseModelInputTooLarge = components['responses']['ModelInputTooLarge'];
export type ResponseModelNotFound = components['responses']['ModelNotFound'];
export type ResponseModelUnprocessable = components['responses']['ModelUnprocessable'];
export type ResponseModelUpstreamMissing = components['responses']['ModelUpstreamMissing'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseNotSwitchedOff = components['responses']['NotSwitchedOff'];
export type ResponseOmmModelUnprocessable = components['responses']['OmmModelUnprocessable'];
export type ResponseOmmUnprocessable = components['responses']['OmmUnprocessable'];
export type ResponsePasswordRefused = components['responses']['PasswordRefused'];
export type ResponsePaymentIsFinal = components['responses']['PaymentIsFinal'];
export type ResponsePaymentRequired = components['responses']['PaymentRequired'];
export type ResponsePaymentUnavailable = components['responses']['PaymentUnavailable'];
export type ResponseRangeNotSatisfiable = components['responses']['RangeNotSatisfiable'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseReviewNotAsSeen = components['responses']['ReviewNotAsSeen'];
export type ResponseSearchItemsFull = components['responses']['SearchItemsFull'];
export type ResponseSeveralAccounts = components['responses']['SeveralAccounts'];
export type ResponseSourceNotFound = components['responses']['SourceNotFound'];
export type ResponseSourceNotReady = components['responses']['SourceNotReady'];
export type ResponseSourceUnprocessable = components['responses']['SourceUnprocessable'];
export type ResponseStorageFull = components['responses']['StorageFull'];
export type ResponseStoriesFull = components['responses']['StoriesFull'];
export type ResponseTaskHasEnded = components['responses']['TaskHasEnded'];
export type ResponseTaskUnprocessable = components['responses']['TaskUnprocessable'];
export type ResponseTokenOrPasswordRefused = components['responses']['TokenOrPasswordRefused'];
export type ResponseTokenRefused = components['responses']['TokenRefused'];
export type ResponseTooManyDocuments = components['responses']['TooManyDocuments'];
export type ResponseTooManyOpenPayments = components['responses']['TooManyOpenPayments'];
export type ResponseTooManyTasks = components['responses']['TooManyTasks'];
export type ResponseUnexpected = components['responses']['Unexpected'];
export type ResponseUnprocessable = components['responses']['Unprocessable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseUploadedDocumentEntry = components['responses']['UploadedDocumentEntry'];
export type ResponseWishUnprocessable = components['responses']['WishUnprocessable'];
export type ParameterDeliveryId = components['parameters']['DeliveryId'];
export type ParameterEndDate = components['parameters']['EndDate'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterKeyId = components['parameters']['KeyId'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterOrder = components['parameters']['Order'];
export type ParameterPaymentId = components['parameters']['PaymentId'];
export type ParameterPreviousServiceSignature = components['parameters']['PreviousServiceSignature'];
export type ParameterServiceSignature = components['parameters']['ServiceSignature'];
export type ParameterStartDate = components['parameters']['StartDate'];
export type ParameterUpgradeRequestId = components['parameters']['UpgradeRequestId'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookMessageId = components['parameters']['WebhookMessageId'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type $defs = Record<string, never>;
export interface operations {
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple",
                 *       "username": "ada"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "email": "ada@example.com",
                     *       "username": "ada",
                     *       "role": "user",
                     *       "is_email_verified": false,
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description A new account token and whom it stands for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "expires_at": "2026-11-22T09:30:00.000Z",
                     *       "user": {
                     *         "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "email": "ada@example.com",
                     *         "username": "ada",
                     *         "role": "user"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["PasswordRefused"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "email": "ada@example.com",
                     *       "username": "ada",
                     *       "role": "user",
                     *       "is_email_verified": false,
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery staple",
                 *       "new_password": "seven silver trains at dawn"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The new password is in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The password was changed. Log in again."
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordChanged"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenOrPasswordRefused"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new account token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "expires_at": "2026-11-22T09:30:00.000Z",
                     *       "user": {
                     *         "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "email": "ada@example.com",
                     *         "username": "ada",
                     *         "role": "user"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No replica accepts the token any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description How many keys to return. */
                limit?: number;
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "name";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only keys in this state. A key that was revoked counts as revoked also after it has expired. */
                status?: "active" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys without their secrets, the newest first unless the order is given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *         "name": "production backend",
                     *         "key_value_preview": "svc_test_Ab3d…9xYz",
                     *         "is_active": true,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": null,
                     *         "last_used_at": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessKey"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "production backend",
                 *       "expires_at": "2099-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *       "name": "production backend",
                     *       "key_value": "svc_test_EXAMPLEexampleEXAMPLEexampleEXAMPLEexa",
                     *       "is_active": true,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "expires_at": "2099-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessKeySecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is gone and no longer works. What it had in flight has ended as after a revocation. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *       "name": "production backend",
                     *       "key_value_preview": "svc_test_Ab3d…9xYz",
                     *       "is_active": false,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "expires_at": null,
                     *       "last_used_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *       "name": "production backend",
                     *       "key_value": "svc_test_EXAMPLEexampleEXAMPLEexampleEXAMPLEexa",
                     *       "is_active": true,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "expires_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["AccessKeySecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "daily_limit": 5,
                     *       "monthly_limit": 100,
                     *       "per_request_limit": 0.1,
                     *       "timezone": "Europe/Berlin",
                     *       "daily_spent": 1.25,
                     *       "monthly_spent": 20.5,
                     *       "daily_remaining": 3.75,
                     *       "monthly_remaining": 79.5,
                     *       "daily_resets_at": "2026-11-21T23:00:00.000Z",
                     *       "monthly_resets_at": "2026-11-30T23:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SpendingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    setKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "daily_limit": 5,
                 *       "monthly_limit": 100,
                 *       "per_request_limit": 0.1,
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["SpendingLimitsRequest"];
            };
        };
        responses: {
            /** @description The limits now in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "daily_limit": 5,
                     *       "monthly_limit": 100,
                     *       "per_request_limit": 0.1,
                     *       "timezone": "Europe/Berlin",
                     *       "daily_spent": 1.25,
                     *       "monthly_spent": 20.5,
                     *       "daily_remaining": 3.75,
                     *       "monthly_remaining": 79.5,
                     *       "daily_resets_at": "2026-11-21T23:00:00.000Z",
                     *       "monthly_resets_at": "2026-11-30T23:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SpendingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key has no limits. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    resetKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits with their counters at zero. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "daily_limit": 5,
                     *       "monthly_limit": 100,
                     *       "per_request_limit": 0.1,
                     *       "timezone": "Europe/Berlin",
                     *       "daily_spent": 1.25,
                     *       "monthly_spent": 20.5,
                     *       "daily_remaining": 3.75,
                     *       "monthly_remaining": 79.5,
                     *       "daily_resets_at": "2026-11-21T23:00:00.000Z",
                     *       "monthly_resets_at": "2026-11-30T23:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SpendingLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance and what calls in flight hold of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": 9.99734,
                     *       "reserved": 0.01234,
                     *       "available": 9.985
                     *     }
                     */
                    "application/json": components["schemas"]["Balance"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    addCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                 *       "amount_usd": 10,
                 *       "reason": "Bank transfer 2026-1121"
                 *     }
                 */
                "application/json": components["schemas"]["AddCreditsRequest"];
            };
        };
        responses: {
            /** @description The transaction that added the credits. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c2-0b7e-7f42-9d33-6a1c5e8b4f03",
                     *       "type": "deposit",
                     *       "amount": 10,
                     *       "balance_after": 10,
                     *       "description": "Bank transfer 2026-1121",
                     *       "reference_id": null,
                     *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *       "key_id": null,
                     *       "status": "posted",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "amount";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only transactions of this status. */
                status?: "posted";
                /** @description Only transactions of this type. */
                type?: "deposit" | "charge" | "refund" | "adjustment" | "bonus";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *           "type": "charge",
                     *           "amount": -0.00266,
                     *           "balance_after": 9.99734,
                     *           "description": "createChatCompletion",
                     *           "reference_id": "0192f0c4-9c8a-7d02-8f31-2a6e4b9c1d07",
                     *           "request_id": "0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05",
                     *           "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *           "status": "posted",
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "limit": 1,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getTransactionStats: {
        parameters: {
            query?: {
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums by type, over all time where no dates are given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_deposited": 10,
                     *       "total_charged": 0.00266,
                     *       "total_refunded": 0,
                     *       "total_adjusted": 0,
                     *       "total_bonus": 0,
                     *       "net": 9.99734,
                     *       "count": 2,
                     *       "by_type": [
                     *         {
                     *           "type": "deposit",
                     *           "count": 1,
                     *           "amount": 10
                     *         },
                     *         {
                     *           "type": "charge",
                     *           "count": 1,
                     *           "amount": -0.00266
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transaction's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *       "type": "charge",
                     *       "amount": -0.00266,
                     *       "balance_after": 9.99734,
                     *       "description": "createChatCompletion",
                     *       "reference_id": "0192f0c4-9c8a-7d02-8f31-2a6e4b9c1d07",
                     *       "request_id": "0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05",
                     *       "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *       "status": "posted",
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The currencies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "methods": [
                     *         {
                     *           "currency": "BTC",
                     *           "name": "Bitcoin",
                     *           "network": "main",
                     *           "is_sandbox": false,
                     *           "minimum_usd": 10,
                     *           "maximum_usd": 10000,
                     *           "confirmations": [
                     *             {
                     *               "up_to_usd": 100,
                     *               "confirmations": 1
                     *             },
                     *             {
                     *               "up_to_usd": 1000,
                     *               "confirmations": 2
                     *             },
                     *             {
                     *               "up_to_usd": 10000,
                     *               "confirmations": 3
                     *             },
                     *             {
                     *               "up_to_usd": null,
                     *               "confirmations": 6
                     *             }
                     *           ],
                     *           "expiry_minutes": 15,
                     *           "available": true,
                     *           "unavailable_reason": null,
                     *           "rate": 91482.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentMethodList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "amount_usd";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only payments of this status. */
                status?: components["schemas"]["PaymentStatus"];
                /** @description Only payments in this currency. */
                currency?: components["schemas"]["PaymentCurrency"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payments": [
                     *         {
                     *           "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *           "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *           "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "amount_usd": 50,
                     *           "currency": "BTC",
                     *           "network": "main",
                     *           "amount_crypto": 0.00054656,
                     *           "amount_crypto_text": "0.00054656",
                     *           "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *           "reference": null,
                     *           "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *           "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *           "rate": 91482.5,
                     *           "price_sources": [
                     *             {
                     *               "name": "bitstamp",
                     *               "rate": 91480,
                     *               "taken_at": "2026-11-21T09:29:58.000Z"
                     *             },
                     *             {
                     *               "name": "coinbase",
                     *               "rate": 91485,
                     *               "taken_at": "2026-11-21T09:29:58.000Z"
                     *             }
                     *           ],
                     *           "status": "created",
                     *           "failure_reason": null,
                     *           "confirmations": 0,
                     *           "required_confirmations": 1,
                     *           "tx_hash": null,
                     *           "received_crypto": 0,
                     *           "received_crypto_text": "0",
                     *           "credited_usd": 0,
                     *           "underpaid": false,
                     *           "overpaid": false,
                     *           "late": false,
                     *           "transfers": [],
                     *           "detected_at": null,
                     *           "expires_at": "2026-11-21T09:45:00.000Z",
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "confirmed_at": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_usd": 50,
                 *       "currency": "BTC"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "amount_usd": 50,
                     *       "currency": "BTC",
                     *       "network": "main",
                     *       "amount_crypto": 0.00054656,
                     *       "amount_crypto_text": "0.00054656",
                     *       "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *       "reference": null,
                     *       "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *       "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *       "rate": 91482.5,
                     *       "price_sources": [
                     *         {
                     *           "name": "bitstamp",
                     *           "rate": 91480,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         },
                     *         {
                     *           "name": "coinbase",
                     *           "rate": 91485,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         }
                     *       ],
                     *       "status": "created",
                     *       "failure_reason": null,
                     *       "confirmations": 0,
                     *       "required_confirmations": 1,
                     *       "tx_hash": null,
                     *       "received_crypto": 0,
                     *       "received_crypto_text": "0",
                     *       "credited_usd": 0,
                     *       "underpaid": false,
                     *       "overpaid": false,
                     *       "late": false,
                     *       "transfers": [],
                     *       "detected_at": null,
                     *       "expires_at": "2026-11-21T09:45:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "confirmed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            409: components["responses"]["TooManyOpenPayments"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["PaymentUnavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "amount_usd": 50,
                     *       "currency": "BTC",
                     *       "network": "main",
                     *       "amount_crypto": 0.00054656,
                     *       "amount_crypto_text": "0.00054656",
                     *       "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *       "reference": null,
                     *       "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *       "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *       "rate": 91482.5,
                     *       "price_sources": [
                     *         {
                     *           "name": "bitstamp",
                     *           "rate": 91480,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         },
                     *         {
                     *           "name": "coinbase",
                     *           "rate": 91485,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         }
                     *       ],
                     *       "status": "created",
                     *       "failure_reason": null,
                     *       "confirmations": 0,
                     *       "required_confirmations": 1,
                     *       "tx_hash": null,
                     *       "received_crypto": 0,
                     *       "received_crypto_text": "0",
                     *       "credited_usd": 0,
                     *       "underpaid": false,
                     *       "overpaid": false,
                     *       "late": false,
                     *       "transfers": [],
                     *       "detected_at": null,
                     *       "expires_at": "2026-11-21T09:45:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "confirmed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    confirmPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *       "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "amount_usd": 50,
                     *       "currency": "BTC",
                     *       "network": "main",
                     *       "amount_crypto": 0.00054656,
                     *       "amount_crypto_text": "0.00054656",
                     *       "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *       "reference": null,
                     *       "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *       "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *       "rate": 91482.5,
                     *       "price_sources": [
                     *         {
                     *           "name": "bitstamp",
                     *           "rate": 91480,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         },
                     *         {
                     *           "name": "coinbase",
                     *           "rate": 91485,
                     *           "taken_at": "2026-11-21T09:29:58.000Z"
                     *         }
                     *       ],
                     *       "status": "confirmed",
                     *       "failure_reason": null,
                     *       "confirmations": 1,
                     *       "required_confirmations": 1,
                     *       "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *       "received_crypto": 0.00054656,
                     *       "received_crypto_text": "0.00054656",
                     *       "credited_usd": 50,
                     *       "underpaid": false,
                     *       "overpaid": false,
                     *       "late": false,
                     *       "transfers": [
                     *         {
                     *           "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *           "amount_crypto": 0.00054656,
                     *           "amount_crypto_text": "0.00054656",
                     *           "state": "included",
                     *           "confirmations": 1,
                     *           "late": false,
                     *           "credited_usd": 50,
                     *           "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *           "first_seen_at": "2026-11-21T09:31:00.000Z"
                     *         }
                     *       ],
                     *       "detected_at": "2026-11-21T09:31:00.000Z",
                     *       "expires_at": "2026-11-21T09:45:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "confirmed_at": "2026-11-21T09:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["PaymentIsFinal"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["PaymentUnavailable"];
            default: components["responses"]["Unexpected"];
        };
    };
    getPaymentQr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An SVG image of `payment_uri`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 41 41"><path d="M4 4h7v1h-7z"/></svg> */
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getPricing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices, with their version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "7d1f0c42ab9e",
                     *       "currency": "USD",
                     *       "prices": [
                     *         {
                     *           "name": "memory_operation",
                     *           "title": "Memory operations",
                     *           "model": null,
                     *           "base": 0.0001,
                     *           "per_token": null,
                     *           "per_output_token": null,
                     *           "counts": null,
                     *           "operations": [
                     *             "createMemory",
                     *             "getMemory"
                     *           ]
                     *         },
                     *         {
                     *           "name": "chat_completion",
                     *           "title": "Chat completion",
                     *           "model": null,
                     *           "base": 0.002,
                     *           "per_token": 0.00001,
                     *           "per_output_token": null,
                     *           "counts": "input_and_output",
                     *           "operations": [
                     *             "createChatCompletion",
                     *             "createCompletion"
                     *           ]
                     *         },
                     *         {
                     *           "name": "chat_completion:gpt-4o",
                     *           "title": "Chat completion, gpt-4o",
                     *           "model": "gpt-4o",
                     *           "base": 0.002,
                     *           "per_token": 0.0000025,
                     *           "per_output_token": 0.00001,
                     *           "counts": "input_and_output",
                     *           "operations": [
                     *             "createChatCompletion",
                     *             "createCompletion"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getAccountLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits of the tier and of each category of operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tier": "pro",
                     *       "requests_per_second": 20,
                     *       "requests_per_minute": 1000,
                     *       "requests_per_hour": 10000,
                     *       "requests_per_day": 100000,
                     *       "categories": [
                     *         {
                     *           "category": "health",
                     *           "multiplier": null,
                     *           "requests_per_second": null,
                     *           "requests_per_minute": null,
                     *           "requests_per_hour": null,
                     *           "requests_per_day": null
                     *         },
                     *         {
                     *           "category": "llm",
                     *           "multiplier": 0.2,
                     *           "requests_per_second": 4,
                     *           "requests_per_minute": 200,
                     *           "requests_per_hour": 2000,
                     *           "requests_per_day": 20000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountLimits"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createUpgradeRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "requested_tier": "pro",
                 *       "reason": "We launch in three countries next month.",
                 *       "estimated_requests_per_day": 50000
                 *     }
                 */
                "application/json": components["schemas"]["NewUpgradeRequest"];
            };
        };
        responses: {
            /** @description The request, waiting for the operator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c5-3e17-7b28-9c4a-8d6f2e1b5a06",
                     *       "requested_tier": "pro",
                     *       "reason": "We launch in three countries next month.",
                     *       "estimated_requests_per_day": 50000,
                     *       "status": "pending",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UpgradeRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Today's usage and that of the period. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requests_today": 1,
                     *       "cost_today": 0.00266,
                     *       "tokens_today": 66,
                     *       "period": {
                     *         "start_date": "2026-10-22T10:00:00.000Z",
                     *         "end_date": "2026-11-21T10:00:00.000Z",
                     *         "requests": 3,
                     *         "successful": 2,
                     *         "failed": 1,
                     *         "tokens": 66,
                     *         "cost": 0.00276
                     *       },
                     *       "by_operation": [
                     *         {
                     *           "operation": "createChatCompletion",
                     *           "requests": 1,
                     *           "tokens": 66,
                     *           "cost": 0.00266
                     *         },
                     *         {
                     *           "operation": "createMemory",
                     *           "requests": 2,
                     *           "tokens": 0,
                     *           "cost": 0.0001
                     *         }
                     *       ],
                     *       "daily": [
                     *         {
                     *           "date": "2026-11-20T00:00:00.000Z",
                     *           "requests": 2,
                     *           "tokens": 0,
                     *           "cost": 0.0001
                     *         },
                     *         {
                     *           "date": "2026-11-21T00:00:00.000Z",
                     *           "requests": 1,
                     *           "tokens": 66,
                     *           "cost": 0.00266
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getUsageSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals of the UTC day, the UTC month and all time, and the balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "today": {
                     *         "requests": 1,
                     *         "tokens": 66,
                     *         "cost": 0.00266
                     *       },
                     *       "this_month": {
                     *         "requests": 3,
                     *         "tokens": 66,
                     *         "cost": 0.00276
                     *       },
                     *       "all_time": {
                     *         "requests": 3,
                     *         "tokens": 66,
                     *         "cost": 0.00276
                     *       },
                     *       "balance": 9.99724
                     *     }
                     */
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getCosts: {
        parameters: {
            query?: {
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The costs by operation, by key and by price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 0.00276,
                     *       "by_operation": [
                     *         {
                     *           "operation": "createChatCompletion",
                     *           "requests": 1,
                     *           "tokens": 66,
                     *           "cost": 0.00266
                     *         },
                     *         {
                     *           "operation": "createMemory",
                     *           "requests": 2,
                     *           "tokens": 0,
                     *           "cost": 0.0001
                     *         }
                     *       ],
                     *       "by_key": [
                     *         {
                     *           "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *           "name": "production backend",
                     *           "requests": 3,
                     *           "cost": 0.00276
                     *         }
                     *       ],
                     *       "by_price": [
                     *         {
                     *           "price": "chat_completion",
                     *           "requests": 1,
                     *           "cost": 0.00266
                     *         },
                     *         {
                     *           "price": "memory_operation",
                     *           "requests": 2,
                     *           "cost": 0.0001
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Costs"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getKeyUsage: {
        parameters: {
            query?: {
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path: {
                /** @description The access key's id. */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key's usage in the period. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *       "name": "production backend",
                     *       "requests": 1,
                     *       "tokens": 66,
                     *       "cost": 0.00266,
                     *       "last_used_at": "2026-11-21T10:00:00.000Z",
                     *       "by_operation": [
                     *         {
                     *           "operation": "createChatCompletion",
                     *           "requests": 1,
                     *           "tokens": 66,
                     *           "cost": 0.00266
                     *         }
                     *       ],
                     *       "daily": [
                     *         {
                     *           "date": "2026-11-21T00:00:00.000Z",
                     *           "requests": 1,
                     *           "tokens": 66,
                     *           "cost": 0.00266
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessKeyUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getRequestReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id, from the header X-Request-Id of its answer. An X-Request-Id that the caller sent itself is found too; of several calls with the same one, the newest. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the call used and what it cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05",
                     *       "client_request_id": "checkout-2026-11-21-7",
                     *       "operation": "createChatCompletion",
                     *       "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *       "status": 200,
                     *       "outcome": "settled",
                     *       "price": "chat_completion",
                     *       "price_version": "7d1f0c42ab9e",
                     *       "input_tokens": 24,
                     *       "output_tokens": 42,
                     *       "reserved": 0.01248,
                     *       "charged": 0.00266,
                     *       "released": 0.00982,
                     *       "latency_ms": 38,
                     *       "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "completed_at": "2026-11-21T10:00:00.038Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getHubHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hub answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0",
                     *       "timestamp": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Unexpected"];
        };
    };
    createMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "preferred-language",
                 *       "value": "The customer prefers answers in French.",
                 *       "metadata": {
                 *         "customer": "c-1042"
                 *       },
                 *       "namespace": "support",
                 *       "ttl_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["CreateMemoryRequest"];
            };
        };
        responses: {
            /** @description The memory as it is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "namespace": "support",
                     *         "key": "preferred-language",
                     *         "value": "The customer prefers answers in French.",
                     *         "metadata": {
                     *           "customer": "c-1042"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-11-22T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    queryMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "namespace": "support",
                 *       "metadata": {
                 *         "customer": "c-1042"
                 *       },
                 *       "limit": 20
                 *     }
                 */
                "application/json": components["schemas"]["QueryMemoriesRequest"];
            };
        };
        responses: {
            /** @description The memories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "namespace": "support",
                     *             "key": "preferred-language",
                     *             "value": "The customer prefers answers in French.",
                     *             "metadata": {
                     *               "customer": "c-1042"
                     *             },
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2026-11-22T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    searchMemories: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "which language does the customer speak",
                 *       "limit": 5
                 *     }
                 */
                "application/json": components["schemas"]["SearchMemoriesRequest"];
            };
        };
        responses: {
            /** @description The closest memories, closest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "memory": {
                     *               "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *               "namespace": "support",
                     *               "key": "preferred-language",
                     *               "value": "The customer prefers answers in French.",
                     *               "metadata": {
                     *                 "customer": "c-1042"
                     *               },
                     *               "created_at": "2026-11-21T09:30:00.000Z",
                     *               "updated_at": "2026-11-21T09:30:00.000Z",
                     *               "expires_at": "2026-11-22T09:30:00.000Z"
                     *             },
                     *             "score": 0.61
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemorySearchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getMemoryStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many memories there are and how large they are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "memories": 1,
                     *         "bytes": 39,
                     *         "namespaces": [
                     *           {
                     *             "namespace": "support",
                     *             "memories": 1,
                     *             "bytes": 39
                     *           }
                     *         ],
                     *         "oldest_at": "2026-11-21T09:30:00.000Z",
                     *         "newest_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryStatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createMemoryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "key": "preferred-language",
                 *           "value": "The customer prefers answers in French.",
                 *           "metadata": {
                 *             "customer": "c-1042"
                 *           },
                 *           "namespace": "support"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateMemoryBatchRequest"];
            };
        };
        responses: {
            /** @description The memories as they are stored, in the order of the request. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "namespace": "support",
                     *             "key": "preferred-language",
                     *             "value": "The customer prefers answers in French.",
                     *             "metadata": {
                     *               "customer": "c-1042"
                     *             },
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2026-11-22T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "count": 1,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The memory's id. */
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The memory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "namespace": "support",
                     *         "key": "preferred-language",
                     *         "value": "The customer prefers answers in French.",
                     *         "metadata": {
                     *           "customer": "c-1042"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-11-22T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "updated_at" | "name";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agents": [
                     *           {
                     *             "id": "0192f0c7-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "name": "Support",
                     *             "system_prompt": "Answer customers in two sentences.",
                     *             "model": "embedded-extractive-1",
                     *             "temperature": 0.2,
                     *             "max_tokens": 500,
                     *             "tools": [],
                     *             "memory": {
                     *               "enabled": true,
                     *               "namespace": "support",
                     *               "top_k": 5
                     *             },
                     *             "metadata": {
                     *               "team": "care"
                     *             },
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support",
                 *       "system_prompt": "Answer customers in two sentences.",
                 *       "model": "embedded-extractive-1",
                 *       "temperature": 0.2,
                 *       "max_tokens": 500,
                 *       "tools": [],
                 *       "memory": {
                 *         "enabled": true,
                 *         "namespace": "support",
                 *         "top_k": 5
                 *       },
                 *       "metadata": {
                 *         "team": "care"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            /** @description The agent as it is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "name": "Support",
                     *         "system_prompt": "Answer customers in two sentences.",
                     *         "model": "embedded-extractive-1",
                     *         "temperature": 0.2,
                     *         "max_tokens": 500,
                     *         "tools": [],
                     *         "memory": {
                     *           "enabled": true,
                     *           "namespace": "support",
                     *           "top_k": 5
                     *         },
                     *         "metadata": {
                     *           "team": "care"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            409: components["responses"]["StorageFull"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateWithAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "The library opens at nine. When does the library open?",
                 *       "max_tokens": 100
                 *     }
                 */
                "application/json": components["schemas"]["GenerateWithAgentRequest"];
            };
        };
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "text": "The library opens at nine.",
                     *         "model": "embedded-extractive-1",
                     *         "agent_id": null,
                     *         "finish_reason": "stop",
                     *         "usage": {
                     *           "prompt_tokens": 24,
                     *           "completion_tokens": 6,
                     *           "total_tokens": 30
                     *         },
                     *         "steps": [
                     *           {
                     *             "model": "embedded-extractive-1",
                     *             "finish_reason": "stop",
                     *             "tool_calls": [],
                     *             "usage": {
                     *               "prompt_tokens": 24,
                     *               "completion_tokens": 6,
                     *               "total_tokens": 30
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-91b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0023,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "bm25",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentTextResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    chatWithAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "role": "system",
                 *           "content": "The library opens at nine."
                 *         },
                 *         {
                 *           "role": "user",
                 *           "content": "When does the library open?"
                 *         }
                 *       ],
                 *       "max_tokens": 100
                 *     }
                 */
                "application/json": components["schemas"]["ChatWithAgentRequest"];
            };
        };
        responses: {
            /** @description The answer. As `text/event-stream`, each event is `data: <JSON>` and an empty line, where the JSON has the schema given here; the last has the data `[DONE]`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "message": {
                     *           "role": "assistant",
                     *           "content": "The library opens at nine."
                     *         },
                     *         "model": "embedded-extractive-1",
                     *         "agent_id": null,
                     *         "finish_reason": "stop",
                     *         "usage": {
                     *           "prompt_tokens": 24,
                     *           "completion_tokens": 6,
                     *           "total_tokens": 30
                     *         },
                     *         "steps": [
                     *           {
                     *             "model": "embedded-extractive-1",
                     *             "finish_reason": "stop",
                     *             "tool_calls": [],
                     *             "usage": {
                     *               "prompt_tokens": 24,
                     *               "completion_tokens": 6,
                     *               "total_tokens": 30
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-91b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0023,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "bm25",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentChatResponse"];
                    /**
                     * @example {
                     *       "id": "chatcmpl-0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "chat.completion.chunk",
                     *       "created": 1795255200,
                     *       "model": "embedded-extractive-1",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "delta": {
                     *             "role": "assistant",
                     *             "content": "The library opens at nine."
                     *           },
                     *           "finish_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's id. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "name": "Support",
                     *         "system_prompt": "Answer customers in two sentences.",
                     *         "model": "embedded-extractive-1",
                     *         "temperature": 0.2,
                     *         "max_tokens": 500,
                     *         "tools": [],
                     *         "memory": {
                     *           "enabled": true,
                     *           "namespace": "support",
                     *           "top_k": 5
                     *         },
                     *         "metadata": {
                     *           "team": "care"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's id. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "temperature": 0,
                 *       "tools": [
                 *         "calculator"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            /** @description The agent as it is stored now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "name": "Support",
                     *         "system_prompt": "Answer customers in two sentences.",
                     *         "model": "embedded-extractive-1",
                     *         "temperature": 0.2,
                     *         "max_tokens": 500,
                     *         "tools": [],
                     *         "memory": {
                     *           "enabled": true,
                     *           "namespace": "support",
                     *           "top_k": 5
                     *         },
                     *         "metadata": {
                     *           "team": "care"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c7-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StorageFull"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent's id. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    indexRagDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "The library opens at nine on weekdays. On Sundays it stays closed.",
                 *       "metadata": {
                 *         "topic": "hours"
                 *       },
                 *       "collection": "support",
                 *       "document_id": "handbook"
                 *     }
                 */
                "application/json": components["schemas"]["IndexRagDocumentRequest"];
            };
        };
        responses: {
            /** @description What was stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "document_id": "handbook",
                     *         "collection": "support",
                     *         "chunks": 1,
                     *         "tokens": 14,
                     *         "deduplicated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.000514
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IndexedRagDocumentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["TooManyDocuments"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    retrieveRagChunks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "When does the library open?",
                 *       "top_k": 5,
                 *       "collection": "support",
                 *       "filter": {
                 *         "topic": "hours"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RetrieveRagChunksRequest"];
            };
        };
        responses: {
            /** @description The best chunks, best first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "chunk_id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "document_id": "handbook",
                     *             "collection": "support",
                     *             "score": 1,
                     *             "text": "The library opens at nine on weekdays. On Sundays it stays closed.",
                     *             "start": 0,
                     *             "end": 66,
                     *             "heading": null,
                     *             "metadata": {
                     *               "topic": "hours"
                     *             }
                     *           }
                     *         ],
                     *         "total": 1
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0002,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "bm25",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RagRetrievalResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateWithRag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "When does the library open?",
                 *       "top_k": 5,
                 *       "collection": "support",
                 *       "max_tokens": 200
                 *     }
                 */
                "application/json": components["schemas"]["GenerateWithRagRequest"];
            };
        };
        responses: {
            /** @description The answer. As `text/event-stream`, each event is `data: <JSON>` and an empty line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "chunk_id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "document_id": "handbook",
                     *             "collection": "support",
                     *             "score": 1,
                     *             "text": "The library opens at nine on weekdays. On Sundays it stays closed.",
                     *             "start": 0,
                     *             "end": 66,
                     *             "heading": null,
                     *             "metadata": {
                     *               "topic": "hours"
                     *             }
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "answer": "The library opens at nine on weekdays. [1]",
                     *         "found": true,
                     *         "citations": [
                     *           {
                     *             "index": 1,
                     *             "document_id": "handbook",
                     *             "chunk_id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "quote": "The library opens at nine on weekdays.",
                     *             "start": 0,
                     *             "end": 38
                     *           }
                     *         ],
                     *         "model": "embedded-extractive-1",
                     *         "finish_reason": "stop",
                     *         "usage": {
                     *           "prompt_tokens": 20,
                     *           "completion_tokens": 11,
                     *           "total_tokens": 31
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00331,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "bm25+sentences",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RagAnswerResponse"];
                    /**
                     * @example {
                     *       "type": "delta",
                     *       "text": "The library opens at nine"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["RagEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getRagStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How much is indexed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "documents": 1,
                     *         "chunks": 1,
                     *         "tokens": 14,
                     *         "bytes": 66,
                     *         "collections": [
                     *           {
                     *             "collection": "support",
                     *             "documents": 1,
                     *             "chunks": 1
                     *           }
                     *         ],
                     *         "oldest_at": "2026-11-21T09:30:00.000Z",
                     *         "newest_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RagStatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listRagDocuments: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "updated_at" | "document_id";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only documents of this collection. */
                collection?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "documents": [
                     *           {
                     *             "document_id": "handbook",
                     *             "collection": "support",
                     *             "chunks": 1,
                     *             "tokens": 14,
                     *             "bytes": 66,
                     *             "language": "en",
                     *             "metadata": {
                     *               "topic": "hours"
                     *             },
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RagDocumentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getRagDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document with its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "document_id": "handbook",
                     *         "collection": "support",
                     *         "chunks": 1,
                     *         "tokens": 14,
                     *         "bytes": 66,
                     *         "language": "en",
                     *         "metadata": {
                     *           "topic": "hours"
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "content": "The library opens at nine on weekdays. On Sundays it stays closed."
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RagDocumentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteRagDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted with its chunks. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["UploadedDocumentEntry"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    indexSearchItems: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "id": "tea-42",
                 *           "title": "Green tea",
                 *           "content": "A mild green tea from Uji, picked in May.",
                 *           "url": "https://shop.example.com/tea-42",
                 *           "metadata": {
                 *             "stock": 12
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IndexSearchItemsRequest"];
            };
        };
        responses: {
            /** @description What was stored, in the order of the request. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "items": [
                     *           {
                     *             "id": "tea-42",
                     *             "created": true
                     *           }
                     *         ],
                     *         "count": 1,
                     *         "tokens": 14
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.000514
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IndexedSearchItemsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["SearchItemsFull"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "green tea -matcha",
                 *       "limit": 20,
                 *       "offset": 0
                 *     }
                 */
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description The items, best first unless `sort` says otherwise. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "id": "tea-42",
                     *             "title": "Green tea",
                     *             "snippet": "A mild green tea from Uji, picked in May.",
                     *             "highlights": [
                     *               {
                     *                 "start": 7,
                     *                 "end": 12
                     *               },
                     *               {
                     *                 "start": 13,
                     *                 "end": 16
                     *               }
                     *             ],
                     *             "score": 1.27,
                     *             "url": "https://shop.example.com/tea-42",
                     *             "metadata": {
                     *               "stock": 12
                     *             }
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false,
                     *         "corrected_query": null
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0002,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "bm25",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getSearchItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tea-42",
                     *         "title": "Green tea",
                     *         "content": "A mild green tea from Uji, picked in May.",
                     *         "url": "https://shop.example.com/tea-42",
                     *         "metadata": {
                     *           "stock": 12
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SearchItemResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteSearchItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The item's id. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "finished_at" | "priority";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only tasks of this status. */
                status?: components["schemas"]["TaskStatus"];
                /** @description Only tasks of this priority. */
                priority?: components["schemas"]["TaskPriority"];
                /** @description Only tasks of this type. */
                task_type?: components["schemas"]["TaskType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "tasks": [
                     *           {
                     *             "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "task_type": "createMemory",
                     *             "priority": "normal",
                     *             "status": "queued",
                     *             "progress": 0,
                     *             "attempts": 0,
                     *             "cost": 0,
                     *             "error": null,
                     *             "request_id": null,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "started_at": null,
                     *             "finished_at": null,
                     *             "expires_at": null
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    submitTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "task_type": "createMemory",
                 *       "parameters": {
                 *         "key": "preferred-language",
                 *         "value": "French"
                 *       },
                 *       "priority": "normal"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitTaskRequest"];
            };
        };
        responses: {
            /** @description The task as it waits. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "task_type": "createMemory",
                     *         "priority": "normal",
                     *         "status": "queued",
                     *         "progress": 0,
                     *         "attempts": 0,
                     *         "cost": 0,
                     *         "error": null,
                     *         "request_id": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": null,
                     *         "finished_at": null,
                     *         "expires_at": null,
                     *         "parameters": {
                     *           "key": "preferred-language",
                     *           "value": "French"
                     *         },
                     *         "result": null
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0005
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["TooManyTasks"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["TaskUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "task_type": "createMemory",
                     *         "priority": "normal",
                     *         "status": "queued",
                     *         "progress": 0,
                     *         "attempts": 0,
                     *         "cost": 0,
                     *         "error": null,
                     *         "request_id": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": null,
                     *         "finished_at": null,
                     *         "expires_at": null,
                     *         "parameters": {
                     *           "key": "preferred-language",
                     *           "value": "French"
                     *         },
                     *         "result": null
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    cancelTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task's id. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "task_type": "createMemory",
                     *         "priority": "normal",
                     *         "status": "queued",
                     *         "progress": 0,
                     *         "attempts": 0,
                     *         "cost": 0,
                     *         "error": null,
                     *         "request_id": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": null,
                     *         "finished_at": null,
                     *         "expires_at": null,
                     *         "parameters": {
                     *           "key": "preferred-language",
                     *           "value": "French"
                     *         },
                     *         "result": null
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TaskResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TaskHasEnded"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateStory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "A lighthouse keeper finds a letter.",
                 *       "genre": "mystery",
                 *       "characters": [
                 *         {
                 *           "name": "Mara",
                 *           "description": "keeps the lighthouse of a forgotten coast"
                 *         }
                 *       ],
                 *       "length": "short",
                 *       "tone": "quiet",
                 *       "max_tokens": 400
                 *     }
                 */
                "application/json": components["schemas"]["GenerateStoryRequest"];
            };
        };
        responses: {
            /** @description The story as it is stored. As `text/event-stream`, each event is `data: <JSON>` and an empty line. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "title": "A lighthouse keeper finds a letter",
                     *         "kind": "outline",
                     *         "text": "Outline by rule, no prose\nGenre: mystery\nTone: quiet\nCharacters: Mara (keeps the lighthouse of a forgotten coast)\n\nAct 1: Setup\n- Opening: an ordinary day of Mara, and what is missing in it.\n- Event: A lighthouse keeper finds a letter.\n\nAct 2: Confrontation\n- Obstacle: the first attempt of Mara fails.\n- Turning point: the one that the genre (mystery) calls for.\n\nAct 3: Resolution\n- Climax: Mara faces what began with “A lighthouse keeper finds a letter.”\n- Last image: the opening once more, changed, told in the tone asked for (quiet).",
                     *         "acts": [
                     *           {
                     *             "title": "Setup",
                     *             "beats": [
                     *               "Opening: an ordinary day of Mara, and what is missing in it.",
                     *               "Event: A lighthouse keeper finds a letter."
                     *             ]
                     *           },
                     *           {
                     *             "title": "Confrontation",
                     *             "beats": [
                     *               "Obstacle: the first attempt of Mara fails.",
                     *               "Turning point: the one that the genre (mystery) calls for."
                     *             ]
                     *           },
                     *           {
                     *             "title": "Resolution",
                     *             "beats": [
                     *               "Climax: Mara faces what began with “A lighthouse keeper finds a letter.”",
                     *               "Last image: the opening once more, changed, told in the tone asked for (quiet)."
                     *             ]
                     *           }
                     *         ],
                     *         "prompt": "A lighthouse keeper finds a letter.",
                     *         "genre": "mystery",
                     *         "characters": [
                     *           {
                     *             "name": "Mara",
                     *             "description": "keeps the lighthouse of a forgotten coast"
                     *           }
                     *         ],
                     *         "length": "short",
                     *         "tone": "quiet",
                     *         "model": "embedded-outline-1",
                     *         "finish_reason": "stop",
                     *         "usage": {
                     *           "prompt_tokens": 21,
                     *           "completion_tokens": 139,
                     *           "total_tokens": 160
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0062,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "outline",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoryResponse"];
                    /**
                     * @example {
                     *       "type": "delta",
                     *       "text": "Mara read the letter"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["StoryEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["StoriesFull"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listStories: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "title";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "stories": [
                     *           {
                     *             "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *             "title": "A lighthouse keeper finds a letter",
                     *             "kind": "outline",
                     *             "text": "Outline by rule, no prose\nGenre: mystery\nTone: quiet\nCharacters: Mara (keeps the lighthouse of a forgotten coast)\n\nAct 1: Setup\n- Opening: an ordinary day of Mara, and what is missing in it.\n- Event: A lighthouse keeper finds a letter.\n\nAct 2: Confrontation\n- Obstacle: the first attempt of Mara fails.\n- Turning point: the one that the genre (mystery) calls for.\n\nAct 3: Resolution\n- Climax: Mara faces what began with “A lighthouse keeper finds a letter.”\n- Last image: the opening once more, changed, told in the tone asked for (quiet).",
                     *             "acts": [
                     *               {
                     *                 "title": "Setup",
                     *                 "beats": [
                     *                   "Opening: an ordinary day of Mara, and what is missing in it.",
                     *                   "Event: A lighthouse keeper finds a letter."
                     *                 ]
                     *               },
                     *               {
                     *                 "title": "Confrontation",
                     *                 "beats": [
                     *                   "Obstacle: the first attempt of Mara fails.",
                     *                   "Turning point: the one that the genre (mystery) calls for."
                     *                 ]
                     *               },
                     *               {
                     *                 "title": "Resolution",
                     *                 "beats": [
                     *                   "Climax: Mara faces what began with “A lighthouse keeper finds a letter.”",
                     *                   "Last image: the opening once more, changed, told in the tone asked for (quiet)."
                     *                 ]
                     *               }
                     *             ],
                     *             "prompt": "A lighthouse keeper finds a letter.",
                     *             "genre": "mystery",
                     *             "characters": [
                     *               {
                     *                 "name": "Mara",
                     *                 "description": "keeps the lighthouse of a forgotten coast"
                     *               }
                     *             ],
                     *             "length": "short",
                     *             "tone": "quiet",
                     *             "model": "embedded-outline-1",
                     *             "finish_reason": "stop",
                     *             "usage": {
                     *               "prompt_tokens": 21,
                     *               "completion_tokens": 139,
                     *               "total_tokens": 160
                     *             },
                     *             "created_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoryListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getStory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The story's id. */
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The story. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *         "title": "A lighthouse keeper finds a letter",
                     *         "kind": "outline",
                     *         "text": "Outline by rule, no prose\nGenre: mystery\nTone: quiet\nCharacters: Mara (keeps the lighthouse of a forgotten coast)\n\nAct 1: Setup\n- Opening: an ordinary day of Mara, and what is missing in it.\n- Event: A lighthouse keeper finds a letter.\n\nAct 2: Confrontation\n- Obstacle: the first attempt of Mara fails.\n- Turning point: the one that the genre (mystery) calls for.\n\nAct 3: Resolution\n- Climax: Mara faces what began with “A lighthouse keeper finds a letter.”\n- Last image: the opening once more, changed, told in the tone asked for (quiet).",
                     *         "acts": [
                     *           {
                     *             "title": "Setup",
                     *             "beats": [
                     *               "Opening: an ordinary day of Mara, and what is missing in it.",
                     *               "Event: A lighthouse keeper finds a letter."
                     *             ]
                     *           },
                     *           {
                     *             "title": "Confrontation",
                     *             "beats": [
                     *               "Obstacle: the first attempt of Mara fails.",
                     *               "Turning point: the one that the genre (mystery) calls for."
                     *             ]
                     *           },
                     *           {
                     *             "title": "Resolution",
                     *             "beats": [
                     *               "Climax: Mara faces what began with “A lighthouse keeper finds a letter.”",
                     *               "Last image: the opening once more, changed, told in the tone asked for (quiet)."
                     *             ]
                     *           }
                     *         ],
                     *         "prompt": "A lighthouse keeper finds a letter.",
                     *         "genre": "mystery",
                     *         "characters": [
                     *           {
                     *             "name": "Mara",
                     *             "description": "keeps the lighthouse of a forgotten coast"
                     *           }
                     *         ],
                     *         "length": "short",
                     *         "tone": "quiet",
                     *         "model": "embedded-outline-1",
                     *         "finish_reason": "stop",
                     *         "usage": {
                     *           "prompt_tokens": 21,
                     *           "completion_tokens": 139,
                     *           "total_tokens": 160
                     *         },
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteStory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The story's id. */
                story_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getSystemInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Version, features and engines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "version": "1.0",
                     *         "environment": "test",
                     *         "features": [
                     *           {
                     *             "name": "memory",
                     *             "is_available": true,
                     *             "engine": null,
                     *             "needs": null
                     *           },
                     *           {
                     *             "name": "stories",
                     *             "is_available": true,
                     *             "engine": "embedded",
                     *             "needs": "An upstream that serves chat, in UPSTREAMS."
                     *           }
                     *         ],
                     *         "engines": [
                     *           {
                     *             "provider": "embedded",
                     *             "quality": "basic",
                     *             "operations": [
                     *               "chat",
                     *               "complete",
                     *               "embed"
                     *             ],
                     *             "models": 2,
                     *             "is_available": true
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SystemInfoResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getSystemMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Uptime, queue and latencies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "uptime_seconds": 86400,
                     *         "window_seconds": 300,
                     *         "queue": {
                     *           "waiting": 3,
                     *           "running": 2,
                     *           "own_waiting": 1,
                     *           "own_running": 0
                     *         },
                     *         "latencies": [
                     *           {
                     *             "rate_class": "read",
                     *             "requests": 120,
                     *             "p50_ms": 4,
                     *             "p95_ms": 12,
                     *             "p99_ms": 31
                     *           }
                     *         ]
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SystemMetricsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getSystemResources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cores and memory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "cores": 2,
                     *         "load_average_1m": 0.42,
                     *         "memory_total_bytes": 8589934592,
                     *         "memory_free_bytes": 4294967296,
                     *         "process_memory_bytes": 268435456,
                     *         "heap_used_bytes": 134217728,
                     *         "event_loop_delay_p99_ms": 3.1
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SystemResourcesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "embedded-extractive-1",
                 *       "messages": [
                 *         {
                 *           "role": "system",
                 *           "content": "Answer from the text only."
                 *         },
                 *         {
                 *           "role": "user",
                 *           "content": "The library opens at nine. When does the library open?"
                 *         }
                 *       ],
                 *       "max_tokens": 100
                 *     }
                 */
                "application/json": components["schemas"]["CreateChatCompletionRequest"];
            };
        };
        responses: {
            /** @description The answer. As `text/event-stream`, each event is `data: <JSON>` and an empty line, where the JSON has the schema given here; the last has the data `[DONE]`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chatcmpl-0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "chat.completion",
                     *       "created": 1795255200,
                     *       "model": "embedded-extractive-1",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "The library opens at nine."
                     *           },
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 24,
                     *         "completion_tokens": 6,
                     *         "total_tokens": 30
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    /**
                     * @example {
                     *       "id": "chatcmpl-0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "chat.completion.chunk",
                     *       "created": 1795255200,
                     *       "model": "embedded-extractive-1",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "delta": {
                     *             "role": "assistant",
                     *             "content": "The library opens at nine."
                     *           },
                     *           "finish_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ChatCompletionEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "embedded-extractive-1",
                 *       "prompt": "The library opens at nine. When does the library open?",
                 *       "max_tokens": 100
                 *     }
                 */
                "application/json": components["schemas"]["CreateCompletionRequest"];
            };
        };
        responses: {
            /** @description The completion. As `text/event-stream`, each event is `data: <JSON>` and an empty line, where the JSON has the schema given here; the last has the data `[DONE]`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cmpl-0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "text_completion",
                     *       "created": 1795255200,
                     *       "model": "embedded-extractive-1",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "text": "The library opens at nine.",
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 12,
                     *         "completion_tokens": 6,
                     *         "total_tokens": 18
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TextCompletion"];
                    /**
                     * @example {
                     *       "id": "cmpl-0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "text_completion",
                     *       "created": 1795255200,
                     *       "model": "embedded-extractive-1",
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "text": "The library opens at nine.",
                     *           "finish_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "text/event-stream": components["schemas"]["TextCompletionEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "embedded-extractive-1",
                 *       "instructions": "Answer from the text only.",
                 *       "input": "The library opens at nine. When does the library open?",
                 *       "max_output_tokens": 100
                 *     }
                 */
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description The response. As `text/event-stream`, each event is `event: <type>` and `data: <JSON>` and an empty line, where the JSON has the schema given here; there is no `[DONE]`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_0192f0c49c887e3fa1d27b5c3e9f6d05",
                     *       "object": "response",
                     *       "created_at": 1795255200,
                     *       "status": "completed",
                     *       "error": null,
                     *       "incomplete_details": null,
                     *       "model": "embedded-extractive-1",
                     *       "output": [
                     *         {
                     *           "type": "message",
                     *           "id": "msg_0192f0c49c887e3fa1d27b5c3e9f6d06",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "The library opens at nine.",
                     *               "annotations": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 24,
                     *         "output_tokens": 6,
                     *         "total_tokens": 30
                     *       },
                     *       "store": false
                     *     }
                     */
                    "application/json": components["schemas"]["ModelResponse"];
                    /**
                     * @example {
                     *       "type": "response.output_text.delta",
                     *       "item_id": "msg_0192f0c49c887e3fa1d27b5c3e9f6d06",
                     *       "output_index": 0,
                     *       "content_index": 0,
                     *       "delta": "The library opens at nine.",
                     *       "logprobs": [],
                     *       "sequence_number": 4
                     *     }
                     */
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createEmbedding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "embedded-hash-384",
                 *       "input": [
                 *         "The library opens at nine."
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateEmbeddingRequest"];
            };
        };
        responses: {
            /** @description One vector for each input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.0125,
                     *             -0.0875,
                     *             0.05
                     *           ]
                     *         }
                     *       ],
                     *       "model": "embedded-hash-384",
                     *       "usage": {
                     *         "prompt_tokens": 6,
                     *         "total_tokens": 6
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingList"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "embedded-extractive-1",
                     *           "object": "model",
                     *           "created": 1795255200,
                     *           "owned_by": "embedded"
                     *         },
                     *         {
                     *           "id": "embedded-hash-384",
                     *           "object": "model",
                     *           "created": 1795255200,
                     *           "owned_by": "embedded"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The model's id. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "embedded-extractive-1",
                     *       "object": "model",
                     *       "created": 1795255200,
                     *       "owned_by": "embedded"
                     *     }
                     */
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "minutes.txt",
                 *       "metadata": {
                 *         "title": "Minutes of the board",
                 *         "type": "txt",
                 *         "project": "harbour"
                 *       }
                 *     }
                 */
                "multipart/form-data": components["schemas"]["UploadDocumentRequest"];
            };
        };
        responses: {
            /** @description The document. `deduplicated` says whether it was there already. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *         "name": "minutes.txt",
                     *         "title": "Minutes of the board",
                     *         "type": "txt",
                     *         "media_type": "text/plain",
                     *         "size_bytes": 48,
                     *         "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "metadata": {
                     *           "type": "txt",
                     *           "project": "harbour"
                     *         },
                     *         "status": "uploaded",
                     *         "progress": 0,
                     *         "error": null,
                     *         "pages": null,
                     *         "language": null,
                     *         "characters": null,
                     *         "tokens": null,
                     *         "chunks": null,
                     *         "is_truncated": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "processed_at": null,
                     *         "deduplicated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.001
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedDocumentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["DocumentsFull"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["DocumentRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description Only documents in this state. */
                status?: components["schemas"]["DocumentStatus"];
                /** @description Only documents of this format. */
                type?: components["schemas"]["DocumentFileType"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "updated_at" | "title" | "size_bytes";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "documents": [
                     *           {
                     *             "id": "0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *             "name": "minutes.txt",
                     *             "title": "Minutes of the board",
                     *             "type": "txt",
                     *             "media_type": "text/plain",
                     *             "size_bytes": 48,
                     *             "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "metadata": {
                     *               "type": "txt",
                     *               "project": "harbour"
                     *             },
                     *             "status": "ready",
                     *             "progress": 100,
                     *             "error": null,
                     *             "pages": null,
                     *             "language": "en",
                     *             "characters": 48,
                     *             "tokens": 11,
                     *             "chunks": 1,
                     *             "is_truncated": false,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:02.000Z",
                     *             "processed_at": "2026-11-21T09:30:02.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0,
                     *         "truncated": false
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *         "name": "minutes.txt",
                     *         "title": "Minutes of the board",
                     *         "type": "txt",
                     *         "media_type": "text/plain",
                     *         "size_bytes": 48,
                     *         "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "metadata": {
                     *           "type": "txt",
                     *           "project": "harbour"
                     *         },
                     *         "status": "ready",
                     *         "progress": 100,
                     *         "error": null,
                     *         "pages": null,
                     *         "language": "en",
                     *         "characters": 48,
                     *         "tokens": 11,
                     *         "chunks": 1,
                     *         "is_truncated": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:02.000Z",
                     *         "processed_at": "2026-11-21T09:30:02.000Z"
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getDocumentContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Which bytes are wanted, such as `bytes=0-1023`, `bytes=1024-` or `bytes=-512`. */
                Range?: string;
                /** @description The entity tag with which the range is wanted; with another the whole file is sent. */
                "If-Range"?: string;
                /** @description Entity tags of which the caller has the file already. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The harbour is closed on Sundays. */
                    "*/*": string;
                };
            };
            /** @description The range of the file that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The harbour */
                    "*/*": string;
                };
            };
            /** @description The caller has the file already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    processDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, which is being processed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *         "name": "minutes.txt",
                     *         "title": "Minutes of the board",
                     *         "type": "txt",
                     *         "media_type": "text/plain",
                     *         "size_bytes": 48,
                     *         "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "metadata": {
                     *           "type": "txt",
                     *           "project": "harbour"
                     *         },
                     *         "status": "processing",
                     *         "progress": 10,
                     *         "error": null,
                     *         "pages": null,
                     *         "language": null,
                     *         "characters": 48,
                     *         "tokens": 11,
                     *         "chunks": null,
                     *         "is_truncated": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:01.000Z",
                     *         "processed_at": null
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00211
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DocumentInProcess"];
            422: components["responses"]["DocumentRefused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ModelUpstreamMissing"];
            default: components["responses"]["Unexpected"];
        };
    };
    extractDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The document's id. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "what": "dates"
                 *     }
                 */
                "application/json": components["schemas"]["ExtractDocumentRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "document_id": "0192f0c7-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *         "what": "dates",
                     *         "entities": null,
                     *         "tables": null,
                     *         "key_values": null,
                     *         "dates": [
                     *           {
                     *             "text": "1 March 2027",
                     *             "start": 22,
                     *             "end": 34,
                     *             "date": "2027-03-01"
                     *           }
                     *         ],
                     *         "amounts": null,
                     *         "value": null,
                     *         "is_truncated": false,
                     *         "model": "embedded-extraction-1",
                     *         "usage": {
                     *           "prompt_tokens": 11,
                     *           "completion_tokens": 42,
                     *           "total_tokens": 53
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00253,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "extraction",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentExtractResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ExtractionUnprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ModelUpstreamMissing"];
            default: components["responses"]["Unexpected"];
        };
    };
    processAdvanced: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Northwind GmbH opened a plant in Hamburg on 1 March 2027. The plant cost EUR 12,500,000.00 and employs 140 people.",
                 *       "processing_type": "entities",
                 *       "parameters": {
                 *         "entity_types": [
                 *           "organization",
                 *           "location",
                 *           "date",
                 *           "money"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProcessAdvancedRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "processing_type": "entities",
                     *         "result": {
                     *           "type": "entities",
                     *           "entities": [
                     *             {
                     *               "type": "organization",
                     *               "text": "Northwind GmbH",
                     *               "start": 0,
                     *               "end": 14,
                     *               "value": null
                     *             },
                     *             {
                     *               "type": "location",
                     *               "text": "Hamburg",
                     *               "start": 33,
                     *               "end": 40,
                     *               "value": null
                     *             },
                     *             {
                     *               "type": "date",
                     *               "text": "1 March 2027",
                     *               "start": 44,
                     *               "end": 56,
                     *               "value": "2027-03-01"
                     *             },
                     *             {
                     *               "type": "money",
                     *               "text": "EUR 12,500,000.00",
                     *               "start": 73,
                     *               "end": 90,
                     *               "value": "EUR 12500000.00"
                     *             }
                     *           ]
                     *         },
                     *         "model": "embedded-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 35,
                     *           "completion_tokens": 124,
                     *           "total_tokens": 159
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00718,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProcessedContentResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    analyzeAdvanced: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Northwind GmbH opened a plant in Hamburg on 1 March 2027. The new plant makes batteries and employs 140 people. The mayor praised the plant.",
                 *       "sentences": 1,
                 *       "keywords_max": 2
                 *     }
                 */
                "application/json": components["schemas"]["AnalyzeAdvancedRequest"];
            };
        };
        responses: {
            /** @description The analysis. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "summary": "The mayor praised the plant.",
                     *         "key_points": [
                     *           {
                     *             "text": "The mayor praised the plant.",
                     *             "start": 112,
                     *             "end": 140
                     *           }
                     *         ],
                     *         "keywords": [
                     *           {
                     *             "text": "Northwind GmbH",
                     *             "score": 1,
                     *             "count": 1
                     *           },
                     *           {
                     *             "text": "mayor praised",
                     *             "score": 1,
                     *             "count": 1
                     *           }
                     *         ],
                     *         "tone": {
                     *           "sentiment": "positive",
                     *           "sentiment_score": 0.33,
                     *           "formality": "neutral",
                     *           "signals": [
                     *             "Positive words: praised."
                     *           ]
                     *         },
                     *         "language": "en",
                     *         "statistics": {
                     *           "characters": 140,
                     *           "words": 25,
                     *           "sentences": 3,
                     *           "paragraphs": 1,
                     *           "average_sentence_words": 8.3,
                     *           "reading_time_seconds": 7
                     *         },
                     *         "readability": {
                     *           "flesch_reading_ease": 86.7,
                     *           "flesch_kincaid_grade": 3.2,
                     *           "reading_level": "easy",
                     *           "average_sentence_words": 8.3,
                     *           "average_word_syllables": 1.32
                     *         },
                     *         "entities": [
                     *           {
                     *             "type": "organization",
                     *             "text": "Northwind GmbH",
                     *             "start": 0,
                     *             "end": 14,
                     *             "value": null
                     *           },
                     *           {
                     *             "type": "location",
                     *             "text": "Hamburg",
                     *             "start": 33,
                     *             "end": 40,
                     *             "value": null
                     *           },
                     *           {
                     *             "type": "date",
                     *             "text": "1 March 2027",
                     *             "start": 44,
                     *             "end": 56,
                     *             "value": "2027-03-01"
                     *           }
                     *         ],
                     *         "entities_total": 3,
                     *         "headings": [],
                     *         "model": "embedded-text-rank-1",
                     *         "usage": {
                     *           "prompt_tokens": 34,
                     *           "completion_tokens": 92,
                     *           "total_tokens": 126
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00652,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "text-rank",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ContentAnalysisResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateAdvanced: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "template": "Dear {{name}}, your order {{order}} has left our house.",
                 *       "variables": [
                 *         {
                 *           "name": "name",
                 *           "value": "Ms. Lee"
                 *         },
                 *         {
                 *           "name": "order",
                 *           "value": "4711"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GenerateAdvancedRequest"];
            };
        };
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "filled_template",
                     *         "title": null,
                     *         "text": "Dear Ms. Lee, your order 4711 has left our house.",
                     *         "model": "embedded-template-1",
                     *         "usage": {
                     *           "prompt_tokens": 19,
                     *           "completion_tokens": 28,
                     *           "total_tokens": 47
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00494,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "template",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GeneratedContentResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    optimizeAdvanced: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "In order to win, we we utilize it due to the fact that it is fast. It is fast at all times.",
                 *       "goals": [
                 *         "concision",
                 *         "repetition"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OptimizeAdvancedRequest"];
            };
        };
        responses: {
            /** @description The text with its changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "text": "To win, we use it because it is fast. It is fast always.",
                     *         "changes": [
                     *           {
                     *             "start": 0,
                     *             "end": 11,
                     *             "before": "In order to",
                     *             "after": "To",
                     *             "reason": "\"to\" says the same in fewer words."
                     *           },
                     *           {
                     *             "start": 17,
                     *             "end": 22,
                     *             "before": "we we",
                     *             "after": "we",
                     *             "reason": "The word \"we\" stands twice."
                     *           },
                     *           {
                     *             "start": 23,
                     *             "end": 30,
                     *             "before": "utilize",
                     *             "after": "use",
                     *             "reason": "\"use\" says the same in fewer words."
                     *           },
                     *           {
                     *             "start": 34,
                     *             "end": 54,
                     *             "before": "due to the fact that",
                     *             "after": "because",
                     *             "reason": "\"because\" says the same in fewer words."
                     *           },
                     *           {
                     *             "start": 78,
                     *             "end": 90,
                     *             "before": "at all times",
                     *             "after": "always",
                     *             "reason": "\"always\" says the same in fewer words."
                     *           }
                     *         ],
                     *         "metrics": {
                     *           "before": {
                     *             "statistics": {
                     *               "characters": 91,
                     *               "words": 22,
                     *               "sentences": 2,
                     *               "paragraphs": 1,
                     *               "average_sentence_words": 11,
                     *               "reading_time_seconds": 6
                     *             },
                     *             "readability": {
                     *               "flesch_reading_ease": 99.5,
                     *               "flesch_kincaid_grade": 2.1,
                     *               "reading_level": "very_easy",
                     *               "average_sentence_words": 11,
                     *               "average_word_syllables": 1.14
                     *             }
                     *           },
                     *           "after": {
                     *             "statistics": {
                     *               "characters": 56,
                     *               "words": 13,
                     *               "sentences": 2,
                     *               "paragraphs": 1,
                     *               "average_sentence_words": 6.5,
                     *               "reading_time_seconds": 4
                     *             },
                     *             "readability": {
                     *               "flesch_reading_ease": 102.6,
                     *               "flesch_kincaid_grade": 0.6,
                     *               "reading_level": "very_easy",
                     *               "average_sentence_words": 6.5,
                     *               "average_word_syllables": 1.15
                     *             }
                     *           }
                     *         },
                     *         "model": "embedded-style-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 25,
                     *           "completion_tokens": 206,
                     *           "total_tokens": 231
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00862,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "style-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OptimizedContentResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getOmmHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0",
                     *       "timestamp": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Unexpected"];
        };
    };
    processInputs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "inputs": [
                 *         {
                 *           "type": "text",
                 *           "content": "Acme Ltd opens a plant in Lyon on 1 March 2027. It costs EUR 12,500.00 a month. The plant makes pumps."
                 *         }
                 *       ],
                 *       "task": "summarize",
                 *       "parameters": {
                 *         "sentences": 1
                 *       },
                 *       "max_input_tokens": 1000,
                 *       "max_tokens": 200
                 *     }
                 */
                "application/json": components["schemas"]["ProcessInputsRequest"];
            };
        };
        responses: {
            /** @description A result for each input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "task": "summarize",
                     *         "results": [
                     *           {
                     *             "index": 0,
                     *             "type": "text",
                     *             "media_type": "text/plain",
                     *             "is_cut": false,
                     *             "description": null,
                     *             "summary": {
                     *               "text": "Acme Ltd opens a plant in Lyon on 1 March 2027.",
                     *               "sentences": [
                     *                 {
                     *                   "text": "Acme Ltd opens a plant in Lyon on 1 March 2027.",
                     *                   "start": 0,
                     *                   "end": 47
                     *                 }
                     *               ]
                     *             },
                     *             "entities": null,
                     *             "label": null,
                     *             "keywords": null,
                     *             "text": null
                     *           }
                     *         ],
                     *         "model": "embedded-text-rank-1",
                     *         "usage": {
                     *           "prompt_tokens": 31,
                     *           "completion_tokens": 84,
                     *           "total_tokens": 115
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0053,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "text-rank",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmProcessedResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OmmModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ModelUpstreamMissing"];
            default: components["responses"]["Unexpected"];
        };
    };
    analyzeInputs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "inputs": [
                 *         {
                 *           "type": "text",
                 *           "content": "Acme Ltd opens a plant in Lyon on 1 March 2027. It costs EUR 12,500.00 a month. The plant makes pumps."
                 *         }
                 *       ],
                 *       "max_input_tokens": 1000
                 *     }
                 */
                "application/json": components["schemas"]["AnalyzeInputsRequest"];
            };
        };
        responses: {
            /** @description What was measured in each input. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "index": 0,
                     *             "type": "text",
                     *             "media_type": "text/plain",
                     *             "size_bytes": 102,
                     *             "text": {
                     *               "language": "en",
                     *               "statistics": {
                     *                 "characters": 102,
                     *                 "words": 21,
                     *                 "sentences": 3,
                     *                 "paragraphs": 1,
                     *                 "average_sentence_words": 7,
                     *                 "average_word_syllables": 1.3,
                     *                 "reading_time_seconds": 6
                     *               },
                     *               "readability": {
                     *                 "flesch_reading_ease": 90.1,
                     *                 "flesch_kincaid_grade": 2.3,
                     *                 "reading_level": "very_easy"
                     *               },
                     *               "entities": [
                     *                 {
                     *                   "type": "organization",
                     *                   "text": "Acme Ltd",
                     *                   "start": 0,
                     *                   "end": 8,
                     *                   "value": null
                     *                 },
                     *                 {
                     *                   "type": "date",
                     *                   "text": "1 March 2027",
                     *                   "start": 34,
                     *                   "end": 46,
                     *                   "value": "2027-03-01"
                     *                 },
                     *                 {
                     *                   "type": "money",
                     *                   "text": "EUR 12,500.00",
                     *                   "start": 57,
                     *                   "end": 70,
                     *                   "value": "EUR 12500.00"
                     *                 }
                     *               ]
                     *             },
                     *             "image": null,
                     *             "document": null
                     *           }
                     *         ],
                     *         "model": "embedded-analysis-1",
                     *         "usage": {
                     *           "prompt_tokens": 31,
                     *           "completion_tokens": 210,
                     *           "total_tokens": 241
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00782,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "analysis",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmAnalysisResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OmmUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateFromInputs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "Dear {{name}}, your order {{order}} has left our house. Best regards",
                 *       "variables": [
                 *         {
                 *           "name": "name",
                 *           "value": "Ada"
                 *         },
                 *         {
                 *           "name": "order",
                 *           "value": "A-1042"
                 *         }
                 *       ],
                 *       "max_tokens": 200
                 *     }
                 */
                "application/json": components["schemas"]["GenerateFromInputsRequest"];
            };
        };
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "output_type": "text",
                     *         "text": "Dear Ada, your order A-1042 has left our house. Best regards",
                     *         "model": "embedded-template-1",
                     *         "usage": {
                     *           "prompt_tokens": 24,
                     *           "completion_tokens": 26,
                     *           "total_tokens": 50
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.004,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "template",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmGeneratedResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OmmModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ModelUpstreamMissing"];
            default: components["responses"]["Unexpected"];
        };
    };
    transformInput: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "input": {
                 *         "type": "text",
                 *         "format": "markdown",
                 *         "content": "# Pumps\n\nAcme makes **pumps**."
                 *       },
                 *       "to": "html",
                 *       "max_input_tokens": 1000
                 *     }
                 */
                "application/json": components["schemas"]["TransformInputRequest"];
            };
        };
        responses: {
            /** @description The input in its other form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "from": "text/markdown",
                     *         "to": "html",
                     *         "media_type": "text/html",
                     *         "encoding": "utf-8",
                     *         "content": "<h1>Pumps</h1>\n<p>Acme makes <strong>pumps</strong>.</p>\n",
                     *         "size_bytes": 60,
                     *         "checksum": "0f3c8a7d5b1e94c26a8f7d3e5b9c1a2f4e6d8b0c2a4f6e8d0b2c4a6f8e0d2b4c",
                     *         "width": null,
                     *         "height": null,
                     *         "is_cut": false,
                     *         "model": "embedded-conversion-1",
                     *         "usage": {
                     *           "prompt_tokens": 10,
                     *           "completion_tokens": 0,
                     *           "total_tokens": 10
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0032,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "conversion",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmTransformedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OmmUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    runOmmBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "operation": "process",
                 *           "body": {
                 *             "inputs": [
                 *               {
                 *                 "type": "text",
                 *                 "content": "Acme Ltd opens a plant in Lyon on 1 March 2027. It costs EUR 12,500.00 a month. The plant makes pumps."
                 *               }
                 *             ],
                 *             "task": "keywords",
                 *             "parameters": {
                 *               "count": 1
                 *             },
                 *             "max_tokens": 200
                 *           }
                 *         },
                 *         {
                 *           "operation": "transform",
                 *           "body": {
                 *             "input": {
                 *               "type": "text",
                 *               "content": "A text."
                 *             },
                 *             "to": "png"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RunOmmBatchRequest"];
            };
        };
        responses: {
            /** @description A result for each item. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "results": [
                     *           {
                     *             "index": 0,
                     *             "operation": "process",
                     *             "status": 200,
                     *             "data": {
                     *               "task": "keywords",
                     *               "results": [
                     *                 {
                     *                   "index": 0,
                     *                   "type": "text",
                     *                   "media_type": "text/plain",
                     *                   "is_cut": false,
                     *                   "description": null,
                     *                   "summary": null,
                     *                   "entities": null,
                     *                   "label": null,
                     *                   "keywords": [
                     *                     {
                     *                       "text": "plant",
                     *                       "score": 1,
                     *                       "count": 2
                     *                     }
                     *                   ],
                     *                   "text": null
                     *                 }
                     *               ],
                     *               "model": "embedded-rake-1",
                     *               "usage": {
                     *                 "prompt_tokens": 31,
                     *                 "completion_tokens": 68,
                     *                 "total_tokens": 99
                     *               }
                     *             },
                     *             "error": null,
                     *             "cost": 0.00498,
                     *             "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e09"
                     *           },
                     *           {
                     *             "index": 1,
                     *             "operation": "transform",
                     *             "status": 422,
                     *             "data": null,
                     *             "error": {
                     *               "error": "Unprocessable",
                     *               "message": "A text does not become png: nothing here draws, with a model or without.",
                     *               "details": []
                     *             },
                     *             "cost": 0,
                     *             "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e10"
                     *           }
                     *         ],
                     *         "succeeded": 1,
                     *         "failed": 1,
                     *         "cost": 0.00498
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00498
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listOmmModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be done now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "capabilities": [
                     *           {
                     *             "operation": "process",
                     *             "task": "summarize",
                     *             "input": "text",
                     *             "output": "fields",
                     *             "engine": "embedded",
                     *             "method": "text-rank",
                     *             "available": true
                     *           },
                     *           {
                     *             "operation": "process",
                     *             "task": "describe",
                     *             "input": "image",
                     *             "output": "fields",
                     *             "engine": "upstream",
                     *             "method": null,
                     *             "available": false
                     *           }
                     *         ],
                     *         "engines": [
                     *           {
                     *             "provider": "embedded",
                     *             "quality": "basic",
                     *             "available": true
                     *           }
                     *         ],
                     *         "models": []
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OmmModelsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["KeyRefused"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    summarizeLegal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "This Agreement is made between Acme Ltd and Blue GmbH. Acme Ltd shall deliver the machine by 1 March 2027. Blue GmbH shall pay EUR 12,500.00 within 30 days. Either party may terminate this Agreement with 60 days' notice.",
                 *       "sentences": 2
                 *     }
                 */
                "application/json": components["schemas"]["SummarizeLegalRequest"];
            };
        };
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "summary": "This Agreement is made between Acme Ltd and Blue GmbH. Blue GmbH shall pay EUR 12,500.00 within 30 days.",
                     *         "key_points": [
                     *           {
                     *             "text": "This Agreement is made between Acme Ltd and Blue GmbH.",
                     *             "start": 0,
                     *             "end": 54
                     *           },
                     *           {
                     *             "text": "Blue GmbH shall pay EUR 12,500.00 within 30 days.",
                     *             "start": 105,
                     *             "end": 154
                     *           }
                     *         ],
                     *         "disclaimer": "This answer was found automatically and is not legal advice.",
                     *         "model": "embedded-text-rank-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00896,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "text-rank",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegalSummaryResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    analyzeLegal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "This Service Agreement is made on 3 March 2026 between Acme Ltd (“Supplier”) and Blue GmbH (“Customer”). The Customer shall pay EUR 12,500.00 within 30 days. This Agreement is governed by the laws of Ireland."
                 *     }
                 */
                "application/json": components["schemas"]["AnalyzeLegalRequest"];
            };
        };
        responses: {
            /** @description The analysis. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "document_type": "service_agreement",
                     *         "parties": [
                     *           {
                     *             "name": "Acme Ltd",
                     *             "role": "Supplier",
                     *             "aliases": [
                     *               "Supplier"
                     *             ],
                     *             "start": 55,
                     *             "end": 63
                     *           },
                     *           {
                     *             "name": "Blue GmbH",
                     *             "role": "Customer",
                     *             "aliases": [
                     *               "Customer"
                     *             ],
                     *             "start": 81,
                     *             "end": 90
                     *           }
                     *         ],
                     *         "clauses": [
                     *           {
                     *             "type": "payment",
                     *             "heading": null,
                     *             "start": 105,
                     *             "end": 157,
                     *             "risk": "low",
                     *             "explanation": "Found by its words “shall pay”. No rule for risks applies."
                     *           },
                     *           {
                     *             "type": "governing_law",
                     *             "heading": null,
                     *             "start": 158,
                     *             "end": 208,
                     *             "risk": "low",
                     *             "explanation": "Found by its words “governed by the laws”. No rule for risks applies."
                     *           }
                     *         ],
                     *         "missing_clauses": [
                     *           "duties",
                     *           "confidentiality",
                     *           "intellectual_property",
                     *           "warranty",
                     *           "data_protection",
                     *           "force_majeure",
                     *           "assignment",
                     *           "notice",
                     *           "term",
                     *           "termination",
                     *           "liability",
                     *           "dispute_resolution"
                     *         ],
                     *         "dates": [
                     *           {
                     *             "text": "3 March 2026",
                     *             "start": 34,
                     *             "end": 46,
                     *             "date": "2026-03-03"
                     *           }
                     *         ],
                     *         "amounts": [
                     *           {
                     *             "text": "EUR 12,500.00",
                     *             "start": 128,
                     *             "end": 141,
                     *             "amount": "12500.00",
                     *             "currency": "EUR"
                     *           }
                     *         ],
                     *         "governing_law": {
                     *           "law": "Ireland",
                     *           "text": "This Agreement is governed by the laws of Ireland.",
                     *           "start": 158,
                     *           "end": 208
                     *         },
                     *         "disclaimer": "This answer was found automatically and is not legal advice.",
                     *         "model": "embedded-contract-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00896,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "contract-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegalAnalysisResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    extractLegal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "This Service Agreement is made on 3 March 2026 between Acme Ltd (“Supplier”) and Blue GmbH (“Customer”). The Customer shall pay EUR 12,500.00 within 30 days. This Agreement is governed by the laws of Ireland."
                 *     }
                 */
                "application/json": components["schemas"]["ExtractLegalRequest"];
            };
        };
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "parties": [
                     *           {
                     *             "name": "Acme Ltd",
                     *             "role": "Supplier",
                     *             "aliases": [
                     *               "Supplier"
                     *             ],
                     *             "start": 55,
                     *             "end": 63
                     *           },
                     *           {
                     *             "name": "Blue GmbH",
                     *             "role": "Customer",
                     *             "aliases": [
                     *               "Customer"
                     *             ],
                     *             "start": 81,
                     *             "end": 90
                     *           }
                     *         ],
                     *         "dates": [
                     *           {
                     *             "text": "3 March 2026",
                     *             "start": 34,
                     *             "end": 46,
                     *             "date": "2026-03-03"
                     *           }
                     *         ],
                     *         "amounts": [
                     *           {
                     *             "text": "EUR 12,500.00",
                     *             "start": 128,
                     *             "end": 141,
                     *             "amount": "12500.00",
                     *             "currency": "EUR"
                     *           }
                     *         ],
                     *         "obligations": [
                     *           {
                     *             "party": "Customer",
                     *             "obligation": "The Customer shall pay EUR 12,500.00 within 30 days.",
                     *             "deadline": "within 30 days",
                     *             "deadline_date": null,
                     *             "start": 105,
                     *             "end": 157
                     *           }
                     *         ],
                     *         "definitions": [
                     *           {
                     *             "term": "Supplier",
                     *             "meaning": "Acme Ltd",
                     *             "start": 55,
                     *             "end": 76
                     *           },
                     *           {
                     *             "term": "Customer",
                     *             "meaning": "Blue GmbH",
                     *             "start": 81,
                     *             "end": 103
                     *           }
                     *         ],
                     *         "disclaimer": "This answer was found automatically and is not legal advice.",
                     *         "model": "embedded-contract-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00896,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "contract-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegalFactsResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    compareLegal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "before": {
                 *         "content": "The fee is EUR 100. It is due in May."
                 *       },
                 *       "after": {
                 *         "content": "The fee is EUR 120. It is due in May."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CompareLegalRequest"];
            };
        };
        responses: {
            /** @description What differs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "similarity": 0.9,
                     *         "changes": [
                     *           {
                     *             "kind": "changed",
                     *             "before": "The fee is EUR 100.",
                     *             "after": "The fee is EUR 120.",
                     *             "before_start": 0,
                     *             "before_end": 19,
                     *             "after_start": 0,
                     *             "after_end": 19
                     *           }
                     *         ],
                     *         "summary": "1 sentence was changed, 0 added and 0 removed.",
                     *         "disclaimer": "This answer was found automatically and is not legal advice.",
                     *         "model": "embedded-sentence-diff-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00896,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "sentence-diff",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LegalComparisonResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    analyzeProfessional: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "In order to win, we need  a plan. The plan was written by Ada."
                 *     }
                 */
                "application/json": components["schemas"]["AnalyzeProfessionalRequest"];
            };
        };
        responses: {
            /** @description The analysis. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "readability": {
                     *           "characters": 62,
                     *           "words": 14,
                     *           "sentences": 2,
                     *           "paragraphs": 1,
                     *           "average_sentence_words": 7,
                     *           "average_word_syllables": 1.21,
                     *           "reading_time_seconds": 4,
                     *           "flesch_reading_ease": 97,
                     *           "flesch_kincaid_grade": 1.5,
                     *           "reading_level": "very_easy"
                     *         },
                     *         "tone": {
                     *           "formality": "neutral",
                     *           "sentiment": "positive",
                     *           "signals": [
                     *             "Positive words: win."
                     *           ]
                     *         },
                     *         "structure": [],
                     *         "issues": [
                     *           {
                     *             "type": "wordy_phrase",
                     *             "start": 0,
                     *             "end": 11,
                     *             "before": "In order to",
                     *             "after": "To",
                     *             "reason": "\"to\" says the same in fewer words."
                     *           },
                     *           {
                     *             "type": "spacing",
                     *             "start": 24,
                     *             "end": 26,
                     *             "before": "  ",
                     *             "after": " ",
                     *             "reason": "One space is enough."
                     *           },
                     *           {
                     *             "type": "passive_voice",
                     *             "start": 43,
                     *             "end": 54,
                     *             "before": "was written",
                     *             "after": null,
                     *             "reason": "The passive voice hides who acts."
                     *           }
                     *         ],
                     *         "model": "embedded-style-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00664,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "style-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProfessionalAnalysisResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateProfessional: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "memo",
                 *       "brief": "The office moves on 1 June. Please pack your desk.",
                 *       "audience": "All staff",
                 *       "tone": "neutral"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateProfessionalRequest"];
            };
        };
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "title": "Memo: The office moves on 1 June",
                     *         "sections": [
                     *           {
                     *             "heading": "Header",
                     *             "text": "To: All staff\nFrom: [From]\nDate: [Date]"
                     *           },
                     *           {
                     *             "heading": "Message",
                     *             "text": "The office moves on 1 June."
                     *           },
                     *           {
                     *             "heading": "What to do",
                     *             "text": "Please pack your desk."
                     *           }
                     *         ],
                     *         "text": "# Memo: The office moves on 1 June\n\n## Header\n\nTo: All staff\nFrom: [From]\nDate: [Date]\n\n## Message\n\nThe office moves on 1 June.\n\n## What to do\n\nPlease pack your desk.",
                     *         "to_fill_in": [
                     *           {
                     *             "text": "[From]",
                     *             "start": 67,
                     *             "end": 73
                     *           },
                     *           {
                     *             "text": "[Date]",
                     *             "start": 80,
                     *             "end": 86
                     *           }
                     *         ],
                     *         "model": "embedded-document-skeleton-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00664,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "document-skeleton",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProfessionalDocumentResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    optimizeProfessional: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "In order to win, we need  a plan. The plan was written by Ada."
                 *     }
                 */
                "application/json": components["schemas"]["OptimizeProfessionalRequest"];
            };
        };
        responses: {
            /** @description The optimized text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "text": "To win, we need a plan. The plan was written by Ada.",
                     *         "changes": [
                     *           {
                     *             "start": 0,
                     *             "end": 11,
                     *             "before": "In order to",
                     *             "after": "To",
                     *             "reason": "\"to\" says the same in fewer words."
                     *           },
                     *           {
                     *             "start": 24,
                     *             "end": 26,
                     *             "before": "  ",
                     *             "after": " ",
                     *             "reason": "One space is enough."
                     *           }
                     *         ],
                     *         "metrics": {
                     *           "before": {
                     *             "characters": 62,
                     *             "words": 14,
                     *             "sentences": 2,
                     *             "paragraphs": 1,
                     *             "average_sentence_words": 7,
                     *             "average_word_syllables": 1.21,
                     *             "reading_time_seconds": 4,
                     *             "flesch_reading_ease": 97,
                     *             "flesch_kincaid_grade": 1.5,
                     *             "reading_level": "very_easy"
                     *           },
                     *           "after": {
                     *             "characters": 52,
                     *             "words": 12,
                     *             "sentences": 2,
                     *             "paragraphs": 1,
                     *             "average_sentence_words": 6,
                     *             "average_word_syllables": 1.17,
                     *             "reading_time_seconds": 4,
                     *             "flesch_reading_ease": 102,
                     *             "flesch_kincaid_grade": 0.5,
                     *             "reading_level": "very_easy"
                     *           }
                     *         },
                     *         "model": "embedded-style-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 52,
                     *           "completion_tokens": 80,
                     *           "total_tokens": 132
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00664,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "style-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OptimizedTextResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    researchScholar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "How much longer have gardeners slept?",
                 *       "collection": "sleep",
                 *       "top_k": 8,
                 *       "findings": 3
                 *     }
                 */
                "application/json": components["schemas"]["ResearchScholarRequest"];
            };
        };
        responses: {
            /** @description The findings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "found": true,
                     *         "findings": [
                     *           {
                     *             "text": "Gardeners slept 31 minutes longer. [1]",
                     *             "citations": [
                     *               {
                     *                 "index": 1,
                     *                 "document_id": "tidal-gardens",
                     *                 "chunk_id": "0192f0c6-81d3-7e59-a2f0-1b7c4d9e3a07",
                     *                 "quote": "Gardeners slept 31 minutes longer.",
                     *                 "start": 120,
                     *                 "end": 154
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "bibliography": [
                     *           {
                     *             "index": 1,
                     *             "document_id": "tidal-gardens",
                     *             "collection": "sleep",
                     *             "title": "Tidal Gardens",
                     *             "metadata": {
                     *               "title": "Tidal Gardens"
                     *             }
                     *           }
                     *         ],
                     *         "retrieved": 1,
                     *         "model": "embedded-sentences-1",
                     *         "usage": {
                     *           "prompt_tokens": 40,
                     *           "completion_tokens": 70,
                     *           "total_tokens": 110
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0062,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "sentences",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScholarResearchResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ModelUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    citeScholar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "style": "apa",
                 *       "sources": [
                 *         {
                 *           "type": "article",
                 *           "title": "Light at the shore",
                 *           "authors": [
                 *             {
                 *               "family": "Brandt",
                 *               "given": "Karla"
                 *             },
                 *             {
                 *               "family": "Osei",
                 *               "given": "Abena"
                 *             }
                 *           ],
                 *           "year": 2015,
                 *           "container_title": "Journal of Coastal Health",
                 *           "volume": "4",
                 *           "issue": "2",
                 *           "pages": "101-119",
                 *           "doi": "10.5555/jch.2015.0042"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CiteScholarRequest"];
            };
        };
        responses: {
            /** @description The references. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "style": "apa",
                     *         "citations": [
                     *           {
                     *             "text": "Brandt, K., & Osei, A. (2015). Light at the shore. Journal of Coastal Health, 4(2), 101–119. https://doi.org/10.5555/jch.2015.0042",
                     *             "html": "Brandt, K., &amp; Osei, A. (2015). Light at the shore. <i>Journal of Coastal Health</i>, <i>4</i>(2), 101–119. https://doi.org/10.5555/jch.2015.0042",
                     *             "in_text": {
                     *               "parenthetical": "(Brandt & Osei, 2015)",
                     *               "narrative": "Brandt and Osei (2015)"
                     *             },
                     *             "key": null
                     *           }
                     *         ],
                     *         "bibliography": "Brandt, K., & Osei, A. (2015). Light at the shore. Journal of Coastal Health, 4(2), 101–119. https://doi.org/10.5555/jch.2015.0042",
                     *         "model": "embedded-citation-styles-1",
                     *         "usage": {
                     *           "prompt_tokens": 90,
                     *           "completion_tokens": 190,
                     *           "total_tokens": 280
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0096,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "citation-styles",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScholarCitationsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            409: components["responses"]["IdempotencyConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    summarizeScholar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "# Abstract\nGardeners slept 31 minutes longer.\n\n# Results\nParticipants who tended tidal gardens for twelve weeks slept longer than the others.\n",
                 *       "sentences": 3
                 *     }
                 */
                "application/json": components["schemas"]["SummarizeScholarRequest"];
            };
        };
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "abstract": {
                     *           "text": "Gardeners slept 31 minutes longer.",
                     *           "start": 11,
                     *           "end": 45
                     *         },
                     *         "summary": "Participants who tended tidal gardens for twelve weeks slept longer than the others.",
                     *         "key_points": [
                     *           {
                     *             "heading": "Results",
                     *             "kind": "results",
                     *             "points": [
                     *               {
                     *                 "text": "Participants who tended tidal gardens for twelve weeks slept longer than the others.",
                     *                 "start": 57,
                     *                 "end": 141
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "model": "embedded-text-rank-1",
                     *         "usage": {
                     *           "prompt_tokens": 30,
                     *           "completion_tokens": 90,
                     *           "total_tokens": 120
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0064,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "text-rank",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScholarSummaryResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    analyzeScholar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "# Results\nGardeners slept longer (Okafor, 2018), p < .001.\n\n# References\nOkafor, N. (2018). Lit evenings. Northern Press.\n"
                 *     }
                 */
                "application/json": components["schemas"]["AnalyzeScholarRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "sections": [
                     *           {
                     *             "kind": "results",
                     *             "heading": "Results",
                     *             "level": 1,
                     *             "start": 0,
                     *             "end": 60
                     *           },
                     *           {
                     *             "kind": "references",
                     *             "heading": "References",
                     *             "level": 1,
                     *             "start": 60,
                     *             "end": 122
                     *           }
                     *         ],
                     *         "references": [
                     *           {
                     *             "index": 0,
                     *             "number": null,
                     *             "raw": "Okafor, N. (2018). Lit evenings. Northern Press.",
                     *             "authors": [
                     *               "Okafor, N."
                     *             ],
                     *             "year": "2018",
                     *             "title": "Lit evenings",
                     *             "doi": null,
                     *             "url": null,
                     *             "citations": 1,
                     *             "start": 73,
                     *             "end": 121
                     *           }
                     *         ],
                     *         "citations": {
                     *           "total": 1,
                     *           "numeric": 0,
                     *           "author_year": 1,
                     *           "places": [
                     *             {
                     *               "kind": "author_year",
                     *               "text": "(Okafor, 2018)",
                     *               "start": 33,
                     *               "end": 47,
                     *               "references": [
                     *                 0
                     *               ],
                     *               "unmatched": []
                     *             }
                     *           ],
                     *           "unmatched": [],
                     *           "uncited": []
                     *         },
                     *         "statistics": [
                     *           {
                     *             "kind": "p_value",
                     *             "text": "p < .001",
                     *             "start": 49,
                     *             "end": 57,
                     *             "comparison": "<",
                     *             "value": 0.001,
                     *             "degrees_of_freedom": [],
                     *             "deviation": null,
                     *             "low": null,
                     *             "high": null
                     *           }
                     *         ],
                     *         "model": "embedded-paper-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 40,
                     *           "completion_tokens": 200,
                     *           "total_tokens": 240
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0088,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "paper-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ScholarAnalysisResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "form": "haiku",
                 *       "prompt": "A lighthouse keeper finds a letter on a quiet night.",
                 *       "tone": "calm"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateCreativeRequest"];
            };
        };
        responses: {
            /** @description The text, or the scaffold of one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "form": "haiku",
                     *         "kind": "scaffold",
                     *         "title": "A lighthouse keeper finds a letter on a",
                     *         "text": "Scaffold by rule (haiku), not a finished text\nTone: calm\n\nHaiku\n- An image of one moment, a turn after the first or the second line, no rhyme.\n- Line 1: 5 syllables; material: “lighthouse keeper finds” (about 5 syllables)\n- Line 2: 7 syllables; material: “quiet night” (about 3 syllables)\n- Line 3: 5 syllables; material: “letter” (about 2 syllables)",
                     *         "parts": [
                     *           {
                     *             "title": "Haiku",
                     *             "lines": [
                     *               "An image of one moment, a turn after the first or the second line, no rhyme.",
                     *               "Line 1: 5 syllables; material: “lighthouse keeper finds” (about 5 syllables)",
                     *               "Line 2: 7 syllables; material: “quiet night” (about 3 syllables)",
                     *               "Line 3: 5 syllables; material: “letter” (about 2 syllables)"
                     *             ]
                     *           }
                     *         ],
                     *         "model": "embedded-scaffold-1",
                     *         "usage": {
                     *           "prompt_tokens": 13,
                     *           "completion_tokens": 240,
                     *           "total_tokens": 253
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00806,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "scaffold",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreativeTextResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WishUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    enhanceCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "She went to the the window in order to see the sea."
                 *     }
                 */
                "application/json": components["schemas"]["EnhanceCreativeRequest"];
            };
        };
        responses: {
            /** @description The suggestions, in the order of the text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "suggestions": [
                     *           {
                     *             "start": 12,
                     *             "end": 19,
                     *             "before": "the the",
                     *             "after": "the",
                     *             "reason": "The word \"the\" stands twice."
                     *           },
                     *           {
                     *             "start": 27,
                     *             "end": 38,
                     *             "before": "in order to",
                     *             "after": "to",
                     *             "reason": "\"to\" says the same in fewer words."
                     *           }
                     *         ],
                     *         "more": 0,
                     *         "model": "embedded-style-rules-1",
                     *         "usage": {
                     *           "prompt_tokens": 13,
                     *           "completion_tokens": 69,
                     *           "total_tokens": 82
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00464,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "style-rules",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnhancementResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    brainstormCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "topic": "A repair café for bicycles",
                 *       "count": 2
                 *     }
                 */
                "application/json": components["schemas"]["BrainstormCreativeRequest"];
            };
        };
        responses: {
            /** @description As many ideas as were asked for, or questions that lead to some. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "prompts",
                     *         "ideas": [
                     *           {
                     *             "title": "Something in place of “repair café”",
                     *             "angle": "What could take the place of “repair café”, and what would then work better?",
                     *             "technique": "substitute"
                     *           },
                     *           {
                     *             "title": "“bicycles” joined with its neighbour",
                     *             "angle": "What is used just before or after “bicycles”, and could be one thing with it?",
                     *             "technique": "combine"
                     *           }
                     *         ],
                     *         "model": "embedded-scamper-1",
                     *         "usage": {
                     *           "prompt_tokens": 5,
                     *           "completion_tokens": 87,
                     *           "total_tokens": 92
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00484,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "scamper",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BrainstormResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["ModelNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WishUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    generateDocs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "changelog",
                 *       "version": "1.2.0",
                 *       "content": "feat(search): find notes by their tags\nfix!: refuse an empty title\nchore: renew the lock file"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateDocsRequest"];
            };
        };
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "changelog",
                     *         "state": "skeleton",
                     *         "title": "Changelog",
                     *         "sections": [
                     *           {
                     *             "title": "[1.2.0]",
                     *             "level": 2,
                     *             "text": "[To fill in: the date of the release, as YYYY-MM-DD]"
                     *           },
                     *           {
                     *             "title": "Added",
                     *             "level": 3,
                     *             "text": "- **search:** find notes by their tags"
                     *           },
                     *           {
                     *             "title": "Fixed",
                     *             "level": 3,
                     *             "text": "- **Breaking:** refuse an empty title"
                     *           }
                     *         ],
                     *         "text": "# Changelog\n\n## [1.2.0]\n\n[To fill in: the date of the release, as YYYY-MM-DD]\n\n### Added\n\n- **search:** find notes by their tags\n\n### Fixed\n\n- **Breaking:** refuse an empty title",
                     *         "to_fill_in": [
                     *           "the date of the release, as YYYY-MM-DD"
                     *         ],
                     *         "omitted": [
                     *           "1 commit of type chore."
                     *         ],
                     *         "model": "embedded-changelog-1",
                     *         "usage": {
                     *           "prompt_tokens": 23,
                     *           "completion_tokens": 182,
                     *           "total_tokens": 205
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.0071,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "changelog",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GeneratedDocsResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["DocsUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    improveDocs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "# Notes\n\n### Install\n\nIn order to install it, see https://notes.example."
                 *     }
                 */
                "application/json": components["schemas"]["ImproveDocsRequest"];
            };
        };
        responses: {
            /** @description Suggestions and faults, in the order of the page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "suggestions": [
                     *           {
                     *             "start": 22,
                     *             "end": 33,
                     *             "before": "In order to",
                     *             "after": "To",
                     *             "reason": "\"to\" says the same in fewer words."
                     *           }
                     *         ],
                     *         "more_suggestions": 0,
                     *         "lint": [
                     *           {
                     *             "rule": "heading_level_skipped",
                     *             "line": 3,
                     *             "message": "Level 3 follows level 1.",
                     *             "start": 9,
                     *             "end": 20
                     *           },
                     *           {
                     *             "rule": "bare_url",
                     *             "line": 5,
                     *             "message": "A link with words tells where it leads; else put the address between < and >.",
                     *             "start": 50,
                     *             "end": 71
                     *           }
                     *         ],
                     *         "more_lint": 0,
                     *         "model": "embedded-markdown-lint-1",
                     *         "usage": {
                     *           "prompt_tokens": 18,
                     *           "completion_tokens": 119,
                     *           "total_tokens": 137
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.00574,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "markdown-lint",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocsImprovementResponse"];
                };
            };
            400: components["responses"]["ModelBadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            413: components["responses"]["ModelInputTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    structureDocs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "# Notes\n\n## 1. Install\n\n## 3. Use"
                 *     }
                 */
                "application/json": components["schemas"]["StructureDocsRequest"];
            };
        };
        responses: {
            /** @description The structure. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "outline": [
                     *           {
                     *             "title": "Notes",
                     *             "level": 1,
                     *             "anchor": "notes",
                     *             "start": 0,
                     *             "end": 7,
                     *             "children": [
                     *               {
                     *                 "title": "1. Install",
                     *                 "level": 2,
                     *                 "anchor": "1-install",
                     *                 "start": 9,
                     *                 "end": 22,
                     *                 "children": []
                     *               },
                     *               {
                     *                 "title": "3. Use",
                     *                 "level": 2,
                     *                 "anchor": "3-use",
                     *                 "start": 24,
                     *                 "end": 33,
                     *                 "children": []
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "table_of_contents": "- [1. Install](#1-install)\n- [3. Use](#3-use)",
                     *         "anchors": [
                     *           {
                     *             "title": "Notes",
                     *             "level": 1,
                     *             "anchor": "notes"
                     *           },
                     *           {
                     *             "title": "1. Install",
                     *             "level": 2,
                     *             "anchor": "1-install"
                     *           },
                     *           {
                     *             "title": "3. Use",
                     *             "level": 2,
                     *             "anchor": "3-use"
                     *           }
                     *         ],
                     *         "numbering_gaps": [
                     *           {
                     *             "title": "3. Use",
                     *             "number": "3",
                     *             "expected": "2",
                     *             "start": 24,
                     *             "end": 33
                     *           }
                     *         ],
                     *         "more": 0,
                     *         "model": "embedded-outline-1",
                     *         "usage": {
                     *           "prompt_tokens": 14,
                     *           "completion_tokens": 186,
                     *           "total_tokens": 200
                     *         }
                     *       },
                     *       "metadata": {
                     *         "request_id": "0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "cost": 0.007,
                     *         "engine": {
                     *           "provider": "embedded",
                     *           "method": "outline",
                     *           "quality": "basic"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DocsStructureResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            402: components["responses"]["PaymentRequired"];
            404: components["responses"]["SourceNotFound"];
            409: components["responses"]["SourceNotReady"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceUnprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only webhooks in this state. */
                status?: "active" | "inactive";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks without their secrets, the newest first unless the order is given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *           "url": "https://hooks.example.com/credits",
                     *           "events": [
                     *             "balance.low",
                     *             "usage.limit_exceeded"
                     *           ],
                     *           "is_active": true,
                     *           "disabled_reason": null,
                     *           "description": "warns the team",
                     *           "failing_since": null,
                     *           "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *           "created_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/credits",
                 *       "events": [
                 *         "balance.low",
                 *         "usage.limit_exceeded"
                 *       ],
                 *       "description": "warns the team"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "url": "https://hooks.example.com/credits",
                     *       "secret": "whsec_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0=",
                     *       "previous_secret_until": null,
                     *       "events": [
                     *         "balance.low",
                     *         "usage.limit_exceeded"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_reason": null,
                     *       "description": "warns the team",
                     *       "failing_since": null,
                     *       "last_delivered_at": null,
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            409: components["responses"]["StorageFull"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "url": "https://hooks.example.com/credits",
                     *       "events": [
                     *         "balance.low",
                     *         "usage.limit_exceeded"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_reason": null,
                     *       "description": "warns the team",
                     *       "failing_since": null,
                     *       "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "balance.low",
                 *         "usage.limit_exceeded"
                 *       ],
                 *       "is_active": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "url": "https://hooks.example.com/credits",
                     *       "events": [
                     *         "balance.low",
                     *         "usage.limit_exceeded"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_reason": null,
                     *       "description": "warns the team",
                     *       "failing_since": null,
                     *       "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "url": "https://hooks.example.com/credits",
                     *       "secret": "whsec_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0=",
                     *       "previous_secret_until": "2026-11-21T11:30:00.000Z",
                     *       "events": [
                     *         "balance.low",
                     *         "usage.limit_exceeded"
                     *       ],
                     *       "is_active": true,
                     *       "disabled_reason": null,
                     *       "description": "warns the team",
                     *       "failing_since": null,
                     *       "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only deliveries in this state. */
                status?: "pending" | "success" | "failed";
                /** @description Only deliveries of this type of events. */
                event_type?: components["schemas"]["EventType"];
            };
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries, the newest first unless the order is given. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "0192f0c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b",
                     *           "webhook_id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *           "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *           "event_type": "balance.low",
                     *           "url": "https://hooks.example.com/credits",
                     *           "status": "failed",
                     *           "response_status": 503,
                     *           "response_body": null,
                     *           "error_message": "The receiver answered 503.",
                     *           "retry_count": 0,
                     *           "next_attempt_at": "2026-11-21T10:00:05.120Z",
                     *           "delivered_at": null,
                     *           "failed_at": "2026-11-21T10:00:00.120Z",
                     *           "abandoned_at": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "attempts": [
                     *             {
                     *               "attempted_at": "2026-11-21T10:00:00.030Z",
                     *               "duration_ms": 90,
                     *               "response_status": 503,
                     *               "response_body": null,
                     *               "error_message": "The receiver answered 503."
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
                /** @description The delivery's id. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery with its last attempts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b",
                     *       "webhook_id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.low",
                     *       "url": "https://hooks.example.com/credits",
                     *       "status": "failed",
                     *       "response_status": 503,
                     *       "response_body": null,
                     *       "error_message": "The receiver answered 503.",
                     *       "retry_count": 0,
                     *       "next_attempt_at": "2026-11-21T10:00:05.120Z",
                     *       "delivered_at": null,
                     *       "failed_at": "2026-11-21T10:00:00.120Z",
                     *       "abandoned_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "attempts": [
                     *         {
                     *           "attempted_at": "2026-11-21T10:00:00.030Z",
                     *           "duration_ms": 90,
                     *           "response_status": 503,
                     *           "response_body": null,
                     *           "error_message": "The receiver answered 503."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_type": "balance.low"
                 *     }
                 */
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description The delivery of the test event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b",
                     *       "webhook_id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.low",
                     *       "url": "https://hooks.example.com/credits",
                     *       "status": "pending",
                     *       "response_status": null,
                     *       "response_body": null,
                     *       "error_message": null,
                     *       "retry_count": 0,
                     *       "next_attempt_at": "2026-11-21T10:00:00.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "abandoned_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "attempts": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-21"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayDeliveriesRequest"];
            };
        };
        responses: {
            /** @description How many deliveries there are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 12
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayedDeliveries"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery's id. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. Its status stays `failed` until the attempt has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b",
                     *       "webhook_id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *       "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *       "event_type": "balance.low",
                     *       "url": "https://hooks.example.com/credits",
                     *       "status": "failed",
                     *       "response_status": 503,
                     *       "response_body": null,
                     *       "error_message": "The receiver answered 503.",
                     *       "retry_count": 0,
                     *       "next_attempt_at": "2026-11-21T10:00:05.120Z",
                     *       "delivered_at": null,
                     *       "failed_at": "2026-11-21T10:00:00.120Z",
                     *       "abandoned_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "attempts": [
                     *         {
                     *           "attempted_at": "2026-11-21T10:00:00.030Z",
                     *           "duration_ms": 90,
                     *           "response_status": 503,
                     *           "response_body": null,
                     *           "error_message": "The receiver answered 503."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "email" | "username";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only accounts of this status; those of a disabled one have `is_active` false. */
                status?: "active" | "disabled";
                /** @description Only accounts whose e-mail address or username contains this text. */
                search?: string;
                /** @description Only accounts of this tier. */
                tier?: "free" | "basic" | "pro" | "enterprise";
                /** @description Only accounts of this role. */
                role?: "user" | "admin";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": [
                     *         {
                     *           "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "email": "ada@example.com",
                     *           "username": "ada",
                     *           "role": "user",
                     *           "is_email_verified": false,
                     *           "created_at": "2026-11-21T09:30:00.000Z",
                     *           "tier": "pro",
                     *           "is_active": true,
                     *           "balance": 9.99734,
                     *           "rate_limits": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUserList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "email": "ada@example.com",
                     *       "username": "ada",
                     *       "role": "user",
                     *       "is_email_verified": false,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "tier": "pro",
                     *       "is_active": true,
                     *       "balance": 9.99734,
                     *       "rate_limits": null,
                     *       "reserved": 0.01248,
                     *       "available": 9.98486,
                     *       "rates": {
                     *         "requests_per_second": 20,
                     *         "requests_per_minute": 1000,
                     *         "requests_per_hour": 10000,
                     *         "requests_per_day": 100000
                     *       },
                     *       "keys": {
                     *         "active": 2,
                     *         "expired": 0,
                     *         "revoked": 1,
                     *         "last_used_at": "2026-11-21T10:00:00.000Z"
                     *       },
                     *       "webhooks": {
                     *         "active": 1,
                     *         "inactive": 0,
                     *         "switched_off": 0
                     *       },
                     *       "payments_in_review": 0,
                     *       "pending_upgrade_request_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUserDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account's id. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tier": "enterprise",
                 *       "rate_limits": {
                 *         "requests_per_second": 200,
                 *         "requests_per_minute": 5000
                 *       },
                 *       "reason": "Contract of 20 November."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description The account as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "email": "ada@example.com",
                     *       "username": "ada",
                     *       "role": "user",
                     *       "is_email_verified": false,
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "tier": "enterprise",
                     *       "is_active": true,
                     *       "balance": 9.99734,
                     *       "rate_limits": {
                     *         "requests_per_second": 200,
                     *         "requests_per_minute": 5000,
                     *         "requests_per_hour": null,
                     *         "requests_per_day": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getReconciliation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the comparison found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accounts": 12,
                     *       "balance_usd": 480.25,
                     *       "ledger_usd": 480.25,
                     *       "difference_usd": 0,
                     *       "open_reservations": 3,
                     *       "mismatches": [],
                     *       "checked_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Reconciliation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listAllPayments: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at" | "amount_usd";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only payments of this status. */
                status?: components["schemas"]["PaymentStatus"];
                /** @description Only payments in this currency. */
                currency?: components["schemas"]["PaymentCurrency"];
                /** @description Only payments of this account. */
                user_id?: string;
                /** @description Only payments that a person has to look at, or only the others. */
                needs_review?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payments": [
                     *         {
                     *           "payment": {
                     *             "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *             "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *             "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *             "amount_usd": 50,
                     *             "currency": "BTC",
                     *             "network": "main",
                     *             "amount_crypto": 0.00054656,
                     *             "amount_crypto_text": "0.00054656",
                     *             "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *             "reference": null,
                     *             "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *             "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *             "rate": 91482.5,
                     *             "price_sources": [
                     *               {
                     *                 "name": "bitstamp",
                     *                 "rate": 91480,
                     *                 "taken_at": "2026-11-21T09:29:58.000Z"
                     *               },
                     *               {
                     *                 "name": "coinbase",
                     *                 "rate": 91485,
                     *                 "taken_at": "2026-11-21T09:29:58.000Z"
                     *               }
                     *             ],
                     *             "status": "confirmed",
                     *             "failure_reason": null,
                     *             "confirmations": 0,
                     *             "required_confirmations": 1,
                     *             "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *             "received_crypto": 0,
                     *             "received_crypto_text": "0",
                     *             "credited_usd": 50,
                     *             "underpaid": false,
                     *             "overpaid": false,
                     *             "late": false,
                     *             "transfers": [
                     *               {
                     *                 "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *                 "amount_crypto": 0.00054656,
                     *                 "amount_crypto_text": "0.00054656",
                     *                 "state": "replaced",
                     *                 "confirmations": 0,
                     *                 "late": false,
                     *                 "credited_usd": 50,
                     *                 "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *                 "first_seen_at": "2026-11-21T09:31:00.000Z"
                     *               }
                     *             ],
                     *             "detected_at": "2026-11-21T09:31:00.000Z",
                     *             "expires_at": "2026-11-21T09:45:00.000Z",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "confirmed_at": "2026-11-21T09:40:00.000Z"
                     *           },
                     *           "review": {
                     *             "needed": true,
                     *             "reason": "A credited transfer is no longer on the chain.",
                     *             "since": "2026-11-21T11:00:00.000Z",
                     *             "resolved_at": null,
                     *             "resolved_by": null,
                     *             "note": null
                     *           },
                     *           "version": "5d0c7e3fb1a94268d7f20e9c4a6b8135"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminPaymentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getAnyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment, and its review. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payment": {
                     *         "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "network": "main",
                     *         "amount_crypto": 0.00054656,
                     *         "amount_crypto_text": "0.00054656",
                     *         "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *         "reference": null,
                     *         "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *         "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *         "rate": 91482.5,
                     *         "price_sources": [
                     *           {
                     *             "name": "bitstamp",
                     *             "rate": 91480,
                     *             "taken_at": "2026-11-21T09:29:58.000Z"
                     *           },
                     *           {
                     *             "name": "coinbase",
                     *             "rate": 91485,
                     *             "taken_at": "2026-11-21T09:29:58.000Z"
                     *           }
                     *         ],
                     *         "status": "confirmed",
                     *         "failure_reason": null,
                     *         "confirmations": 0,
                     *         "required_confirmations": 1,
                     *         "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *         "received_crypto": 0,
                     *         "received_crypto_text": "0",
                     *         "credited_usd": 50,
                     *         "underpaid": false,
                     *         "overpaid": false,
                     *         "late": false,
                     *         "transfers": [
                     *           {
                     *             "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *             "amount_crypto": 0.00054656,
                     *             "amount_crypto_text": "0.00054656",
                     *             "state": "replaced",
                     *             "confirmations": 0,
                     *             "late": false,
                     *             "credited_usd": 50,
                     *             "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *             "first_seen_at": "2026-11-21T09:31:00.000Z"
                     *           }
                     *         ],
                     *         "detected_at": "2026-11-21T09:31:00.000Z",
                     *         "expires_at": "2026-11-21T09:45:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "confirmed_at": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "review": {
                     *         "needed": true,
                     *         "reason": "A credited transfer is no longer on the chain.",
                     *         "since": "2026-11-21T11:00:00.000Z",
                     *         "resolved_at": null,
                     *         "resolved_by": null,
                     *         "note": null
                     *       },
                     *       "version": "5d0c7e3fb1a94268d7f20e9c4a6b8135"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    resolvePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The payment's id. */
                payment_id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Double spend of block 912,345; debited.",
                 *       "expected_version": "5d0c7e3fb1a94268d7f20e9c4a6b8135",
                 *       "adjust_usd": -50
                 *     }
                 */
                "application/json": components["schemas"]["ResolvePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payment": {
                     *         "id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "payment_id": "0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d",
                     *         "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "amount_usd": 50,
                     *         "currency": "BTC",
                     *         "network": "main",
                     *         "amount_crypto": 0.00054656,
                     *         "amount_crypto_text": "0.00054656",
                     *         "address": "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
                     *         "reference": null,
                     *         "payment_uri": "bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00054656",
                     *         "qr_path": "/api/payments/payments/0192f0c3-5e6f-7a1b-8c2d-3e4f5a6b7c8d/qr.svg",
                     *         "rate": 91482.5,
                     *         "price_sources": [
                     *           {
                     *             "name": "bitstamp",
                     *             "rate": 91480,
                     *             "taken_at": "2026-11-21T09:29:58.000Z"
                     *           },
                     *           {
                     *             "name": "coinbase",
                     *             "rate": 91485,
                     *             "taken_at": "2026-11-21T09:29:58.000Z"
                     *           }
                     *         ],
                     *         "status": "confirmed",
                     *         "failure_reason": null,
                     *         "confirmations": 0,
                     *         "required_confirmations": 1,
                     *         "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *         "received_crypto": 0,
                     *         "received_crypto_text": "0",
                     *         "credited_usd": 50,
                     *         "underpaid": false,
                     *         "overpaid": false,
                     *         "late": false,
                     *         "transfers": [
                     *           {
                     *             "tx_hash": "4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
                     *             "amount_crypto": 0.00054656,
                     *             "amount_crypto_text": "0.00054656",
                     *             "state": "replaced",
                     *             "confirmations": 0,
                     *             "late": false,
                     *             "credited_usd": 50,
                     *             "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *             "first_seen_at": "2026-11-21T09:31:00.000Z"
                     *           }
                     *         ],
                     *         "detected_at": "2026-11-21T09:31:00.000Z",
                     *         "expires_at": "2026-11-21T09:45:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "confirmed_at": "2026-11-21T09:40:00.000Z"
                     *       },
                     *       "review": {
                     *         "needed": true,
                     *         "reason": "A credited transfer is no longer on the chain.",
                     *         "since": "2026-11-21T11:00:00.000Z",
                     *         "resolved_at": null,
                     *         "resolved_by": null,
                     *         "note": null
                     *       },
                     *       "version": "5d0c7e3fb1a94268d7f20e9c4a6b8135"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReviewNotAsSeen"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getWebhooksHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What waits, what failed, and where. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events_waiting": 2,
                     *       "oldest_event_age_seconds": 0.4,
                     *       "deliveries_due": 14,
                     *       "deliveries_handed": 8,
                     *       "deliveries_later": 120,
                     *       "failed_last_24h": 31,
                     *       "abandoned_last_24h": 3,
                     *       "switched_off_webhooks": 1,
                     *       "receivers": [
                     *         {
                     *           "receiver": "hooks.example.com:443",
                     *           "waiting": 12,
                     *           "oldest_due_at": "2026-11-21T09:29:51.000Z",
                     *           "slow_since": "2026-11-21T09:20:00.000Z"
                     *         }
                     *       ],
                     *       "checked_at": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhooksHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listAllWebhooks: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only webhooks in this state: `switched_off` by the service because they failed for too long, `inactive` for any reason. */
                status?: "active" | "inactive" | "switched_off";
                /** @description Only those of this account. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "webhook": {
                     *             "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *             "url": "https://hooks.example.com/credits",
                     *             "events": [
                     *               "balance.low",
                     *               "usage.limit_exceeded"
                     *             ],
                     *             "is_active": true,
                     *             "disabled_reason": null,
                     *             "description": "warns the team",
                     *             "failing_since": null,
                     *             "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *             "created_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminWebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The webhook's id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The receiver has a new certificate."
                 *     }
                 */
                "application/json": components["schemas"]["EnableWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *       "webhook": {
                     *         "id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *         "url": "https://hooks.example.com/credits",
                     *         "events": [
                     *           "balance.low",
                     *           "usage.limit_exceeded"
                     *         ],
                     *         "is_active": true,
                     *         "disabled_reason": null,
                     *         "description": "warns the team",
                     *         "failing_since": null,
                     *         "last_delivered_at": "2026-11-21T10:00:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotSwitchedOff"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listAbandonedDeliveries: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "abandoned_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only those of this account. */
                user_id?: string;
                /** @description Only those to this webhook. */
                webhook_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "delivery": {
                     *             "id": "0192f0c5-3c4d-7e5f-9a6b-7c8d9e0f1a2b",
                     *             "webhook_id": "0192f0c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
                     *             "event_id": "0192f0c5-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
                     *             "event_type": "balance.low",
                     *             "url": "https://hooks.example.com/credits",
                     *             "status": "failed",
                     *             "response_status": 503,
                     *             "response_body": null,
                     *             "error_message": "The receiver answered 503.",
                     *             "retry_count": 7,
                     *             "next_attempt_at": null,
                     *             "delivered_at": null,
                     *             "failed_at": "2026-11-22T17:12:30.120Z",
                     *             "abandoned_at": "2026-11-22T17:12:30.120Z",
                     *             "created_at": "2026-11-21T10:00:00.000Z",
                     *             "attempts": [
                     *               {
                     *                 "attempted_at": "2026-11-22T17:12:30.030Z",
                     *                 "duration_ms": 90,
                     *                 "response_status": 503,
                     *                 "response_body": null,
                     *                 "error_message": "The receiver answered 503."
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminDeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listUpgradeRequests: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only requests of this status. */
                status?: "pending" | "approved" | "rejected";
                /** @description Only those of this account. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "upgrade_requests": [
                     *         {
                     *           "user": {
                     *             "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *             "email": "ada@example.com",
                     *             "username": "ada",
                     *             "tier": "basic"
                     *           },
                     *           "request": {
                     *             "id": "0192f0c5-3e17-7b28-9c4a-8d6f2e1b5a06",
                     *             "requested_tier": "pro",
                     *             "reason": "We launch in three countries next month.",
                     *             "estimated_requests_per_day": 50000,
                     *             "status": "pending",
                     *             "created_at": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "decided_at": null,
                     *           "decided_by": null,
                     *           "note": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUpgradeRequestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    approveUpgradeRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The upgrade request's id. */
                upgrade_request_id: components["parameters"]["UpgradeRequestId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Welcome to pro."
                 *     }
                 */
                "application/json": components["schemas"]["ApproveUpgradeRequest"];
            };
        };
        responses: {
            /** @description The request as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "email": "ada@example.com",
                     *         "username": "ada",
                     *         "tier": "pro"
                     *       },
                     *       "request": {
                     *         "id": "0192f0c5-3e17-7b28-9c4a-8d6f2e1b5a06",
                     *         "requested_tier": "pro",
                     *         "reason": "We launch in three countries next month.",
                     *         "estimated_requests_per_day": 50000,
                     *         "status": "approved",
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "decided_at": "2026-11-21T11:00:00.000Z",
                     *       "decided_by": "0192f0bf-11c2-7a83-9d0e-2b4c6d8e0f01",
                     *       "note": "Welcome to pro."
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUpgradeRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DecidedAlready"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    rejectUpgradeRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe for 24 hours, for all access keys of the account together: the same key with the same body replays the stored answer free of charge, with another body it is refused (422), while the first call still runs it is refused (409). A streamed answer is replayed as JSON, as it would be without `stream`. A stream that broke off, or that its caller left, is not stored: a retry runs and is charged anew. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The upgrade request's id. */
                upgrade_request_id: components["parameters"]["UpgradeRequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "The account is two days old."
                 *     }
                 */
                "application/json": components["schemas"]["RejectUpgradeRequest"];
            };
        };
        responses: {
            /** @description The request as it now is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "email": "ada@example.com",
                     *         "username": "ada",
                     *         "tier": "basic"
                     *       },
                     *       "request": {
                     *         "id": "0192f0c5-3e17-7b28-9c4a-8d6f2e1b5a06",
                     *         "requested_tier": "pro",
                     *         "reason": "We launch in three countries next month.",
                     *         "estimated_requests_per_day": 50000,
                     *         "status": "rejected",
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "decided_at": "2026-11-21T11:00:00.000Z",
                     *       "decided_by": "0192f0bf-11c2-7a83-9d0e-2b4c6d8e0f01",
                     *       "note": "The account is two days old."
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUpgradeRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DecidedAlready"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getCall: {
        parameters: {
            query?: {
                /** @description Only among the calls of this account. */
                user_id?: string;
            };
            header?: never;
            path: {
                /** @description The call's id, from the header X-Request-Id of its answer. An X-Request-Id that the caller sent itself is found too; of several calls of an account with the same one, the newest. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *         "email": "ada@example.com",
                     *         "username": "ada",
                     *         "tier": "pro"
                     *       },
                     *       "key": {
                     *         "id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *         "name": "production backend",
                     *         "key_value_preview": "svc_test_4fKq…x8Wz",
                     *         "is_active": true
                     *       },
                     *       "receipt": {
                     *         "request_id": "0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05",
                     *         "client_request_id": "checkout-2026-11-21-7",
                     *         "operation": "createChatCompletion",
                     *         "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *         "status": 200,
                     *         "outcome": "settled",
                     *         "price": "chat_completion",
                     *         "price_version": "7d1f0c42ab9e",
                     *         "input_tokens": 24,
                     *         "output_tokens": 42,
                     *         "reserved": 0.01248,
                     *         "charged": 0.00266,
                     *         "released": 0.00982,
                     *         "latency_ms": 38,
                     *         "transaction_id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *         "created_at": "2026-11-21T10:00:00.000Z",
                     *         "completed_at": "2026-11-21T10:00:00.038Z"
                     *       },
                     *       "transactions": [
                     *         {
                     *           "id": "0192f0c4-9d21-7a5c-b8e6-4f2d1c7b9a04",
                     *           "type": "charge",
                     *           "amount": -0.00266,
                     *           "balance_after": 9.99734,
                     *           "description": "createChatCompletion",
                     *           "reference_id": "0192f0c4-9c89-7b1a-8c4d-5e6f7a8b9c0d",
                     *           "request_id": "0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05",
                     *           "key_id": "0192f0c1-2f90-7c64-8d17-9e3b5a1f7c02",
                     *           "status": "posted",
                     *           "created_at": "2026-11-21T10:00:00.038Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminCall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SeveralAccounts"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    listAdminActions: {
        parameters: {
            query?: {
                /** @description How many records to return. */
                limit?: components["parameters"]["Limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The field that orders the list. */
                sort?: "created_at";
                /** @description The direction of the sort. */
                order?: components["parameters"]["Order"];
                /** @description Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
                start_date?: components["parameters"]["StartDate"];
                /** @description Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
                end_date?: components["parameters"]["EndDate"];
                /** @description Only those of this admin. */
                admin_id?: string;
                /** @description Only those made by this operation. */
                operation?: components["schemas"]["AdminOperation"];
                /** @description Only those that concern this account. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The actions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actions": [
                     *         {
                     *           "id": "0192f0c6-0a1b-7c2d-8e3f-4a5b6c7d8e9f",
                     *           "admin_id": "0192f0bf-11c2-7a83-9d0e-2b4c6d8e0f01",
                     *           "operation": "updateUser",
                     *           "user_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "subject_id": "0192f0c0-52a4-7d10-8b1e-3c9d2f7a6e01",
                     *           "reason": "Chargebacks.",
                     *           "before": {
                     *             "tier": "pro",
                     *             "is_active": true,
                     *             "rate_limits": null
                     *           },
                     *           "after": {
                     *             "tier": "pro",
                     *             "is_active": false,
                     *             "rate_limits": null
                     *           },
                     *           "request_id": "0192f0c6-0a00-7f1e-9d2c-3b4a5c6d7e8f",
                     *           "created_at": "2026-11-21T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "limit": 20,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AdminActionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Unexpected"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process answers; restart it when it does not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0",
                     *       "timestamp": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Unexpected"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that serving needs is there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "status": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The process starts, drains or lacks something; send it no calls. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Service Unavailable",
                     *       "message": "The service cannot serve calls right now.",
                     *       "request_id": "0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11",
                     *       "status": "unavailable",
                     *       "version": "1.0",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "status": "unavailable",
                     *           "detail": "The connection was refused."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            default: components["responses"]["Unexpected"];
        };
    };
}
