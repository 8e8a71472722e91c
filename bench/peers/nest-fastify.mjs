// A server with NestJS on Fastify, written like the examples in the guide of NestJS. Decorators are applied by hand, because the
// file is not compiled.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { announce, health, INFO } from './content.mjs';

class AppController {
  info() {
    return INFO;
  }
  health() {
    return health();
  }
}
const decorate = (path, name) =>
  Get(path)(AppController.prototype, name, Object.getOwnPropertyDescriptor(AppController.prototype, name));
decorate('/', 'info');
decorate('/v1/health/info', 'health');
Controller()(AppController);

class AppModule {}
Module({ controllers: [AppController] })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer());
