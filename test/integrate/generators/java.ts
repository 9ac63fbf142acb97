import { bodyText, type Call, type Generator, quoted } from './generator.ts'
import { needing, openapiGenerator } from './tools.ts'

/** The differences of the libraries for openapi-generator's client. */
interface Library {
  /** An `ApiClient` named `client`, with the address `url` and the token `token` unless it is null. */
  connect: string
  /** A body from its text. */
  read(shape: string, text: string): string
  /** `answer` as JSON. */
  write: string
}

const libraries: Record<string, Library> = {
  'okhttp-gson': {
    connect: `ApiClient client = new ApiClient().setBasePath(url);
    if (token != null) client.setBearerToken(token);`,
    read: (shape, text) => `${shape}.fromJson(${text})`,
    write: 'JSON.getGson().newBuilder().serializeNulls().create().toJson(answer)',
  },
  native: {
    connect: `ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));`,
    read: (shape, text) => `JSON.getDefault().getMapper().readValue(${text}, ${shape}.class)`,
    write: 'JSON.getDefault().getMapper().writeValueAsString(answer)',
  },
}

const program = ({ connect, read, write }: Library, calls: Call[]) => `import org.openapitools.client.*;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.model.*;

public class Program {
  static final String url = System.getenv("GATEHOUSE_URL");

  interface Operation {
    ApiResponse<?> call(AccountsApi api) throws Exception;
  }

  static void call(String id, String token, Operation operation) throws Exception {
    ${connect}
    int status;
    Object answer;
    try {
      ApiResponse<?> response = operation.call(new AccountsApi(client));
      status = response.getStatusCode();
      answer = response.getData();
    } catch (ApiException error) {
      if (error.getResponseBody() == null) throw error;
      status = error.getCode();
      answer = ${read('AnyProblem', 'error.getResponseBody()')};
    }
    System.out.println("{\\"id\\":\\"" + id + "\\",\\"status\\":" + status + ",\\"answer\\":" + ${write} + "}");
  }

  public static void main(String[] none) throws Exception {
${calls
  .map(each => {
    const body = each.body ? read(each.body.shape, bodyText(each)) : ''
    const token = each.token ? quoted(each.token) : 'null'
    return `    call(${quoted(each.id)}, ${token}, api -> api.${each.id}WithHttpInfo(${body}));`
  })
  .join('\n')}
  }
}
`

const maven = (...goals: string[]) => ['mvn', '-q', '-B', '-f', 'client/pom.xml', ...goals] as const

export const ofJava: Generator[] = Object.entries(libraries).map(([name, library]) => ({
  name: `openapi-generator java ${name}`,
  missing: needing('openapiGenerator', 'java', 'maven'),
  ...openapiGenerator('java', `library=${name}`),
  files: calls => ({ 'client/src/main/java/Program.java': program(library, calls) }),
  commands: [
    maven('compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/libraries'),
    ['java', '-cp', 'client/target/classes:client/target/libraries/*', 'Program'],
  ],
}))
