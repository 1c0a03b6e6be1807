# The gateway alone; compose.yaml runs it with all it needs. Node is pinned by digest: docs/deploy.md says how to
# update it.
FROM node:26-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS node
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# Makes dist/ with the tools that it takes, which stay here.
FROM node AS build
# npm's cache is a mount: it stays for the next build, and out of the image.
RUN --mount=type=cache,target=/root/.npm npm ci
COPY rolldown.config.ts ./
COPY schema schema/
COPY src src/
RUN npm run build

FROM node
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0
# What npm start gives Node too. Set your own where a container may have more or less memory.
ENV NODE_OPTIONS=--max-old-space-size=512
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
COPY schema schema/
COPY src src/
COPY deploy/fill-compile-cache.js deploy/
COPY --from=build /app/dist dist/

# It may write into its home only; without a DATABASE_URL, it makes its sample data there.
USER node
WORKDIR /home/node
# For this user, and for code where it is now.
ENV NODE_COMPILE_CACHE=/home/node/compile-cache
# With the options of the entry point: V8 does not take what was compiled with others.
RUN node --max-semi-space-size=8 --initial-old-space-size=64 --v8-pool-size=1 /app/deploy/fill-compile-cache.js

# 4001 is for operators: do not publish it.
EXPOSE 4000 4001
# Whether the process lives; that it has data to answer from is /ready's affair. ADMIN_PORT=off needs --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 4001) + '/live').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# No shell between: SIGTERM reaches Node.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--initial-old-space-size=64", "--v8-pool-size=1", "/app/dist/lookup.js"]
CMD ["serve"]
