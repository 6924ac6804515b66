resource "terraform_data" "資源" {
  input = {
    "名前"     = "寿司🍱"
    "emoji 👩‍👩‍👧" = "family"
    plain    = "é and e\u0301"
    "ключ"   = ["один", "три"]
    "新しい"    = true
  }
}
resource "terraform_data" "lines" {
  input = "一行目\n二行目 変更\n🎉\n"
}
output "出力" { value = "別の値" }
output "long_output_name" { value = "x" }
