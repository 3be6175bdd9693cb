<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// php: pages from a template, associative arrays, regular expressions and a matrix.
$state = 3;
function random(int $n): int { global $state; $state = $state * 48271 % 2147483647; return $state % $n; }
$rows = [];
for ($i = 0; $i < 12000; $i++)
    $rows[] = ['id' => $i, 'name' => 'user' . random(3000), 'score' => random(10000)];
usort($rows, fn($a, $b) => $b['score'] <=> $a['score'] ?: $a['id'] <=> $b['id']);
$page = '';
foreach (array_slice($rows, 0, 2000) as $row)
    $page .= preg_replace_callback('/\{(\w+)\}/', fn($m) => htmlspecialchars((string)$row[$m[1]]),
        "<tr><td>{id}</td><td>{name}</td><td>{score}</td></tr>\n");
echo strlen($page), ' ', md5($page), "\n";
$n = 48;
$a = $b = $c = [];
for ($i = 0; $i < $n; $i++) for ($j = 0; $j < $n; $j++) { $a[$i][$j] = $i + $j; $b[$i][$j] = $i - $j; }
for ($i = 0; $i < $n; $i++)
    for ($j = 0; $j < $n; $j++) {
        $s = 0;
        for ($k = 0; $k < $n; $k++) $s += $a[$i][$k] * $b[$k][$j];
        $c[$i][$j] = $s;
    }
echo $c[7][9], ' ', array_sum(array_map('array_sum', $c)), "\n";
$words = array_count_values(str_word_count(strtolower(file_get_contents('text')), 1));
arsort($words);
echo count($words), ' ', max($words), "\n";
