export type Json = string | number | boolean | null | Json[] | JsonObject
export interface JsonObject {
  [member: string]: Json
}

export interface Resource {
  Type: string
  Properties?: JsonObject
}

export interface Template {
  Resources: Record<string, Resource>
  Conditions?: Record<string, Json>
  Mappings?: Record<string, Record<string, Record<string, Json>>>
  Parameters?: Record<string, { Default?: Json }>
  Outputs?: Record<string, { Value: Json }>
}
