output "concat" { value = [concat(["a"], ["b", 1]), concat([], []), concat(tolist(["a"]), tolist(["b"])), concat(tolist([1]), ["x"])] }
output "contains" { value = [contains(["a", "b"], "a"), contains([1, 2], "1"), contains(toset([1]), 1), contains([], 1), contains(["true"], true)] }
output "distinct" { value = [distinct(["a", "b", "a"]), distinct([1, 1.0, 2]), distinct([]), distinct([["a"], ["a"]])] }
output "element" { value = [element(["a", "b", "c"], 1), element(["a", "b", "c"], 4), element(tolist(["x"]), 10)] }
output "flatten" { value = [flatten([["a"], ["b", ["c", []]]]), flatten([]), flatten([1, [2, [3]], { a = [4] }]), flatten([toset(["s"]), tolist(["l"])])] }
output "index" { value = [index(["a", "b"], "b"), index([1, 2, 1], 1)] }
output "keys" { value = [keys({ b = 1, a = "x" }), keys({}), keys(tomap({ z = 1, y = 2 }))] }
output "values" { value = [values({ b = 1, a = "x" }), values({}), values(tomap({ z = 1, y = 2 }))] }
output "length" { value = [length([1, 2]), length({ a = 1 }), length(toset([1, 1])), length(tomap({}))] }
output "lookup" { value = [lookup({ a = 1 }, "a", 0), lookup({ a = 1 }, "b", 0), lookup(tomap({ a = "x" }), "z", "d"), lookup({ a = "x" }, "a")] }
output "merge" { value = [merge({ a = 1 }, { b = "x" }), merge({ a = 1 }, { a = "two" }), merge({}, null, { c = 3 }), merge(tomap({ a = 1 }), tomap({ b = 2 })), merge(tomap({ a = "1" }), { b = [2] }), merge()] }
output "reverse" { value = [reverse([1, "a", true]), reverse(tolist(["x", "y"])), reverse(toset(["b", "a"])), reverse([])] }
output "slice" { value = [slice(["a", "b", "c", "d"], 1, 3), slice([1, "x", true], 0, 2), slice(tolist([1, 2]), 2, 2)] }
output "sort" { value = [sort(["b", "a", "C", "10", "9", "ä"]), sort(toset(["z", "y"])), sort([])] }
output "zipmap" { value = [zipmap(["a", "b"], [1, "x"]), zipmap(["a"], tolist([true])), zipmap([], [])] }
output "setunion" { value = [setunion(["a"], ["b", "a"]), setunion([1], ["x"]), setunion([], [])] }
output "setintersection" { value = [setintersection(["a", "b"], ["b", "c"]), setintersection([1], [2])] }
output "setsubtract" { value = [setsubtract(["a", "b"], ["b"]), setsubtract([1, 2], [])] }
output "setproduct" { value = [setproduct(["a", "b"], [1, 2]), setproduct(toset(["x"]), toset(["y", "z"])), setproduct([], ["a"]), setproduct(["a"], ["b"], [true])] }
output "coalesce" { value = [coalesce("", "b"), coalesce(null, 2), coalesce(null, "", "x"), coalesce("a", 1), coalesce(false, true)] }
output "coalescelist" { value = [coalescelist([], ["a"]), coalescelist(["x"], [1])] }
output "compact" { value = [compact(["a", "", "b"]), compact([])] }
output "one" { value = [one(["a"]), one([]), one(toset([5]))] }
output "chunklist" { value = [chunklist(["a", "b", "c"], 2), chunklist([1], 0), chunklist([], 3)] }
output "matchkeys" { value = matchkeys(["i-1", "i-2", "i-3"], ["a", "b", "a"], ["a"]) }
output "transpose" { value = transpose({ a = ["1", "2"], b = ["2", "3"] }) }
output "alltrue" { value = [alltrue([true, true]), alltrue([]), alltrue(["true", false]), anytrue([]), anytrue([false, true])] }
