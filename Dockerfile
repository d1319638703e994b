# The service and the analysis without a window. Build: docker build -t isoline .
# Serve:   docker run -p 8420:8420 -v isoline-data:/data isoline
# Analyse: docker run --rm --user "$(id -u)" -v "$PWD:/recordings:ro" -v "$PWD/results:/results" isoline analyse /recordings --csv /results/table.csv
FROM node:24-bookworm-slim AS packages
WORKDIR /isoline
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
WORKDIR /isoline
ENV NODE_ENV=production
COPY --from=packages /isoline/node_modules node_modules
COPY package.json LICENSE ./
COPY main main
COPY shared shared
COPY deploy/healthcheck.mjs deploy/
# Not root: what the service may write lies under /data alone.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "deploy/healthcheck.mjs", "8420"]
ENTRYPOINT ["node", "main/host/cli/isoline.ts"]
CMD ["serve", "--data-dir", "/data", "--host", "0.0.0.0", "--tls", "self-signed", "--port", "8420"]
