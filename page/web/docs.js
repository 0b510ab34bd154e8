// Shows the operations of this service, as it describes them itself, and tries them here. Nothing is asked of anybody else: no
// validator, no other description by a query of the address.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  queryConfigEnabled: false,
  validatorUrl: null,
});
