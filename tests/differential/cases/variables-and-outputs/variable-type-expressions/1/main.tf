variable "any" {
  type    = any
  default = [1, "a", { b = true }]
}
variable "string" {
  type    = string
  default = 1.50
}
variable "string_bool" {
  type    = string
  default = true
}
variable "number" {
  type    = number
  default = "1e3"
}
variable "bool" {
  type    = bool
  default = "true"
}
variable "list" {
  type    = list(string)
  default = [1, true, "x", null]
}
variable "set" {
  type    = set(number)
  default = ["3", 1, "2", 1]
}
variable "map" {
  type    = map(bool)
  default = { a = "true", b = false }
}
variable "object" {
  type    = object({ a = string, b = optional(number), c = optional(list(string), ["d"]) })
  default = { a = 1, extra = "dropped" }
}
variable "tuple" {
  type    = tuple([string, number, list(bool)])
  default = [1, "2", ["true"]]
}
variable "list_any" {
  type    = list(any)
  default = [1, "a", true]
}
variable "list_any_objects" {
  type    = list(any)
  default = [{ a = 1 }, { a = "x" }]
}
variable "map_any" {
  type    = map(any)
  default = { a = 1, b = "x" }
}
variable "set_any" {
  type    = set(any)
  default = ["b", 1]
}
variable "object_any" {
  type    = object({ a = any, b = list(any) })
  default = { a = [1, "x"], b = [1, "x"] }
}
variable "bare_list" {
  type    = list
  default = [1, 2]
}
variable "bare_map" {
  type    = map
  default = { a = 1 }
}
variable "nested" {
  type    = map(list(object({ a = set(tuple([string])) })))
  default = { k = [{ a = [["x"], ["x"]] }] }
}
variable "multi_line" {
  type = object({
    # a comment
    a = string,
    b = number
    c = bool
  })
  default = { a = "a", b = 1, c = true }
}
variable "empty_object" {
  type    = object({})
  default = { a = 1 }
}
variable "empty_tuple" {
  type    = tuple([])
  default = []
}
variable "null_any" {
  default = null
}
variable "null_typed" {
  type    = object({ a = string })
  default = null
}
output "all" {
  value = {
    any = var.any, string = var.string, string_bool = var.string_bool, number = var.number, bool = var.bool, list = var.list, set = var.set, map = var.map
    object = var.object, tuple = var.tuple, list_any = var.list_any, list_any_objects = var.list_any_objects, map_any = var.map_any, set_any = var.set_any
    object_any = var.object_any, bare_list = var.bare_list, bare_map = var.bare_map, nested = var.nested, multi_line = var.multi_line
    empty_object = var.empty_object, empty_tuple = var.empty_tuple, null_any = var.null_any, null_typed = var.null_typed
  }
}
