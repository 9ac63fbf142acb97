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

export const ofGo = [oapiCodegen, openapiGeneratorGo]
