# Help goes to standard output and succeeds, through a pipe too.
for tool in pcasm pcdis pcemu pcprof; do
    $tool --help | cat
    $tool --help > /dev/null && echo "$tool --help: ok"
    $tool --version
done
# The lists that options print.
pcemu --sampler help
