import { bodyText, type Call, type Generator, quoted, upperFirst } from './generator.ts'
import { needing, openapiGenerator, versions } from './tools.ts'

const helpers = `
var url = os.Getenv("GATEHOUSE_URL")

func read[T any](text string) (body T) {
	must(json.Unmarshal([]byte(text), &body))
	return body
}

func print(id string, status int, answer any) {
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"id": id, "status": status, "answer": answer}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
`

const goModule = 'module program\n\ngo 1.24\n'

const goProgram = (imports: string[], own: string, body: string) => `package main

import (
${imports.map(name => `\t${name}`).join('\n')}
)
${helpers}${own}
func main() {
${body}
}
`

const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  version: versions.oapiCodegen,
  missing: needing('oapiCodegen', 'go'),
  generate: ['oapi-codegen', '-generate', 'models,client', '-package', 'api', '-o', 'api.go', 'openapi.json'],
  files: calls => ({
    'go.mod': goModule,
    'main.go': goProgram(
      ['"context"', '"encoding/json"', '"net/http"', '"os"', '"reflect"', '"strings"', '"program/api"'],
      `
func bearer(token string) api.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
}

// decoded is the one member for the status and media type that the response came with.
func decoded(response any) any {
	fields := reflect.ValueOf(response).Elem()
	for i := range fields.NumField() {
		if strings.Contains(fields.Type().Field(i).Name, "JSON") && !fields.Field(i).IsNil() {
			return fields.Field(i).Interface()
		}
	}
	return nil
}
`,
      `	client, err := api.NewClientWithResponses(url)
	must(err)
${calls.map(oapiCall).join('\n')}`,
    ),
  }),
  commands: [
    ['sh', '-c', 'mkdir api && mv api.go api/ && go mod tidy && go vet ./...'],
    ['go', 'run', '.'],
  ],
}

const oapiCall = (call: Call): string => {
  const name = upperFirst(call.id)
  const body = call.body ? `, read[api.${name}JSONRequestBody](${bodyText(call)})` : ''
  return `	{
		response, err := client.${name}WithResponse(context.Background()${body}, bearer(${quoted(call.token ?? '')}))
		must(err)
		print(${quoted(call.id)}, response.StatusCode(), decoded(response))
	}`
}

const openapiGeneratorGo: Generator = {
  name: 'openapi-generator go',
  missing: needing('openapiGenerator', 'java', 'go'),
  ...openapiGenerator('go', 'packageName=api', 'withGoMod=false'),
  files: calls => ({
    'go.mod': goModule,
    'main.go': goProgram(
      ['"context"', '"encoding/json"', '"errors"', '"os"', 'api "program/client"'],
      `
func answerOf(answer any, err error) any {
	var failed *api.GenericOpenAPIError
	if errors.As(err, &failed) {
		return failed.Model()
	}
	must(err)
	return answer
}
`,
      `	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: url}}
	accounts := api.NewAPIClient(configuration).AccountsAPI
${calls.map(generatorCall).join('\n')}`,
    ),
  }),
  commands: [
    ['sh', '-c', 'rm -r client/test && go mod tidy && go vet ./...'],
    ['go', 'run', '.'],
  ],
}

const generatorCall = (call: Call): string => {
  const body = call.body ? `.${call.body.shape}(read[api.${call.body.shape}](${bodyText(call)}))` : ''
  const token = `context.WithValue(context.Background(), api.ContextAccessToken, ${quoted(call.token ?? '')})`
  return `	{
		answer, response, err := accounts.${upperFirst(call.id)}(${token})${body}.Execute()
		print(${quoted(call.id)}, response.StatusCode, answerOf(answer, err))
	}`
}

const ogen: Generator = {
  name: 'ogen',
  version: versions.ogen,
  advice: 'With `ignore_not_implemented: ["all"]` below `generator:` in `ogen.yml`, for the catalogue',
  missing: needing('ogen', 'go'),
  generate: [
    'sh',
    '-c',
    `echo '{generator: {ignore_not_implemented: [all]}}' > ogen.yml && ogen --config ogen.yml --target api --package api openapi.json`,
  ],
  files: calls => ({
    'go.mod': goModule,
    'main.go': goProgram(
      ['"context"', '"encoding/json"', '"net/http"', '"os"', '"reflect"', '"program/api"'],
      `
type bearer string

func (token bearer) Bearer(context.Context, api.OperationName) (api.Bearer, error) {
	return api.Bearer{Token: string(token)}, nil
}

// recorder keeps the status, which the types of answers have in their names alone.
type recorder struct{ status int }

func (r *recorder) Do(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		r.status = response.StatusCode
	}
	return response, err
}

func pointer[T any](value T) *T { return &value }

// bodyOf is an answer without its headers.
func bodyOf(answer any) any {
	if body := reflect.ValueOf(answer).Elem(); body.Kind() == reflect.Struct && body.FieldByName("Response").IsValid() {
		return body.FieldByName("Response").Addr().Interface()
	}
	return answer
}
`,
      calls.map(ogenCall).join('\n'),
    ),
  }),
  commands: [
    ['sh', '-c', 'go mod tidy && go vet ./...'],
    ['go', 'run', '.'],
  ],
}

const ogenCall = (call: Call): string => {
  const body = call.body ? `, pointer(read[api.${call.body.shape}](${bodyText(call)}))` : ''
  return `	{
		recorded := &recorder{}
		client, err := api.NewClient(url, bearer(${quoted(call.token ?? '')}), api.WithClient(recorded))
		must(err)
		answer, err := client.${upperFirst(call.id)}(context.Background()${body})
		must(err)
		print(${quoted(call.id)}, recorded.status, bodyOf(answer))
	}`
}

export const ofGo = [oapiCodegen, ogen, openapiGeneratorGo]
