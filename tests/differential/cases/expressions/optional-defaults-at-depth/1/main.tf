variable "deep" {
  type = object({
    a = optional(object({
      b = optional(object({
        c = optional(string, "default c")
        d = optional(number)
      }), { d = 5 })
      e = optional(list(object({ f = optional(bool, true) })), [{}, { f = false }])
    }), {})
    g = optional(map(object({ h = optional(string, "h") })), { k = {} })
  })
  default = {}
}
variable "list" {
  type = list(object({
    a = optional(string, "list a")
    b = optional(object({ c = optional(set(string), ["z", "y"]) }))
  }))
  default = [{}, { a = "set" }, { b = {} }, { b = null }, { b = { c = null } }]
}
variable "set" {
  type    = set(object({ a = optional(string, "same"), b = optional(number) }))
  default = [{}, { a = "same" }, { a = null, b = null }, { a = "other" }]
}
variable "map" {
  type    = map(object({ n = optional(number, 7), any = optional(any, { x = 1 }) }))
  default = { one = {}, two = { n = "8" } }
}
variable "tuple" {
  type    = tuple([object({ a = optional(string, "t") }), list(object({ b = optional(string, "u") }))])
  default = [{}, [{}]]
}
variable "null_whole" {
  type    = object({ a = optional(string, "x") })
  default = null
}
variable "optional_any" {
  type    = object({ a = optional(any), b = optional(list(any)) })
  default = {}
}
variable "not_nullable" {
  type     = object({ a = optional(string, "x") })
  nullable = false
  default  = {}
}
variable "converted_default" {
  type    = object({ a = optional(string, 5), b = optional(list(string), [1, true]), c = optional(object({ d = string }), { d = 1 }) })
  default = {}
}
variable "map_of_lists" {
  type    = map(list(map(object({ a = optional(string, "deepest") }))))
  default = { a = [{ b = {} }], c = [] }
}
output "all" {
  value = {
    deep = var.deep, list = var.list, set = var.set, map = var.map, tuple = var.tuple, null_whole = var.null_whole, optional_any = var.optional_any
    not_nullable = var.not_nullable, converted_default = var.converted_default, map_of_lists = var.map_of_lists
  }
}
